/// The languages from F to R.
extension LanguageData {
    static let fToR = """
        @fi
        tammikuuta|helmikuuta|maaliskuuta|huhtikuuta|toukokuuta|kesäkuuta|heinäkuuta|elokuuta|syyskuuta|\
        lokakuuta|marraskuuta|joulukuuta

        maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai

        EEEE d. MMMM y|d. MMMM y|d.M.y|d.M.y|H.mm|H.mm.ss
        {1} klo {0}|{1} klo {0}|{1} klo {0}|{1} klo {0}
        ,|\u{A0}|4|−|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥
        @fr
        janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre
        janv.|févr.|mars|avr.|mai|juin|juil.|août|sept.|oct.|nov.|déc.
        lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche

        EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/y|HH:mm|HH:mm:ss
        {1} à {0}|{1} à {0}|{1}, {0}|{1} {0}
        ,|\u{202F}|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$US GBP£GB AUD$AU CAD$CA NZD$NZ ILS₪ INR₹ KRW₩ BRLR$ MXN$MX VND₫ ARS$AR CLP$CL \
        COP$CO
        @fr-ca^fr
        1:janv.|févr.|mars|avr.|mai|juin|juill.|août|sept.|oct.|nov.|déc.
        4:EEEE d MMMM y|d MMMM y|d MMM y|y-MM-dd|HH 'h' mm|HH 'h' mm 'min' ss 's'
        6:,|\u{A0}|4|-|#\u{A0}%
        7:#\u{A0}¤||||EUR€ USD$\u{A0}US GBP£ JPY¥ CNYCN¥ AUD$\u{A0}AU CAD$ NZD$\u{A0}NZ BRLR$
        @fr-ch^fr
        4:EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.yy|HH:mm|HH:mm:ss
        6:,|\u{202F}|4|-|#%
        7:#\u{A0}¤||.||EUR€ USD$US GBP£GB AUD$AU CAD$CA NZD$NZ ILS₪ INR₹ KRW₩ BRLR$ MXN$MX VND₫ ARS$AR \
        CLP$CL COP$CO
        @ga
        Eanáir|Feabhra|Márta|Aibreán|Bealtaine|Meitheamh|Iúil|Lúnasa|Meán Fómhair|Deireadh Fómhair|Samhain|\
        Nollaig
        Ean|Feabh|Márta|Aib|Beal|Meith|Iúil|Lún|MFómh|DFómh|Samh|Noll
        Dé Luain|Dé Máirt|Dé Céadaoin|Déardaoin|Dé hAoine|Dé Sathairn|Dé Domhnaigh

        EEEE d MMMM y|d MMMM y|d MMM y|d/M/yy|HH:mm|HH:mm:ss
        {1} ag {0}|{1} ag {0}|{1}, {0}|{1}, {0}
        .|,|4|-|#%
        ¤#||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @gl
        xaneiro|febreiro|marzo|abril|maio|xuño|xullo|agosto|setembro|outubro|novembro|decembro
        xan.|feb.|mar.|abr.|maio|xuño|xul.|ago.|set.|out.|nov.|dec.
        luns|martes|mércores|xoves|venres|sábado|domingo

        EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d 'de' MMM 'de' y|dd/MM/yy|HH:mm|HH:mm:ss
        {1}, {0}|{1}, {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXN$MX VND₫ THB฿
        @he
        ינואר|פברואר|מרץ|אפריל|מאי|יוני|יולי|אוגוסט|ספטמבר|אוקטובר|נובמבר|דצמבר
        ינו׳|פבר׳|מרץ|אפר׳|מאי|יוני|יולי|אוג׳|ספט׳|אוק׳|נוב׳|דצמ׳
        יום שני|יום שלישי|יום רביעי|יום חמישי|יום שישי|יום שבת|יום ראשון

        EEEE, d בMMMM y|d בMMMM y|d בMMM y|d.M.y|H:mm|H:mm:ss
        {1} בשעה {0}|{1} בשעה {0}|{1}, {0}|{1}, {0}
        .|,|4|\u{200E}-|#%
        \u{200F}#\u{A0}\u{200F}¤|\u{200F}\u{200E}-#\u{A0}\u{200F}¤|||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ \
        CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @hr
        siječnja|veljače|ožujka|travnja|svibnja|lipnja|srpnja|kolovoza|rujna|listopada|studenoga|prosinca
        sij|velj|ožu|tra|svi|lip|srp|kol|ruj|lis|stu|pro
        ponedjeljak|utorak|srijeda|četvrtak|petak|subota|nedjelja

        EEEE, d. MMMM y.|d. MMMM y.|d. MMM y.|dd. MM. y.|HH:mm|HH:mm:ss
        {1} u {0}|{1} u {0}|{1} {0}|{1} {0}
        ,|.|4|−|#\u{A0}%
        #\u{A0}¤||||EUR€
        @hu
        január|február|március|április|május|június|július|augusztus|szeptember|október|november|december
        jan.|febr.|márc.|ápr.|máj.|jún.|júl.|aug.|szept.|okt.|nov.|dec.
        hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap

        y. MMMM d., EEEE|y. MMMM d.|y. MMM d.|y. MM. dd.|H:mm|H:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|\u{A0}|5|-|#%
        #\u{A0}¤||||JPY¥ HUFFt
        @id
        Januari|Februari|Maret|April|Mei|Juni|Juli|Agustus|September|Oktober|November|Desember
        Jan|Feb|Mar|Apr|Mei|Jun|Jul|Agu|Sep|Okt|Nov|Des
        Senin|Selasa|Rabu|Kamis|Jumat|Sabtu|Minggu

        EEEE, dd MMMM y|d MMMM y|d MMM y|dd/MM/yy|HH.mm|HH.mm.ss
        {1} pukul {0}|{1} pukul {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        ¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INRRs KRW₩ BRLR$ MXNMX$ IDRRp VND₫ \
        THB฿
        @is
        janúar|febrúar|mars|apríl|maí|júní|júlí|ágúst|september|október|nóvember|desember
        jan.|feb.|mar.|apr.|maí|jún.|júl.|ágú.|sep.|okt.|nóv.|des.
        mánudagur|þriðjudagur|miðvikudagur|fimmtudagur|föstudagur|laugardagur|sunnudagur

        EEEE, d. MMMM y|d. MMMM y|d. MMM y|d.M.y|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        #\u{A0}¤||||JPYJP¥ CNYCN¥ ISKkr. ILS₪
        @it
        gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre
        gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic
        lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica

        EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/yy|HH:mm|HH:mm:ss
        {1} alle ore {0}|{1} alle ore {0}|{1}, {0}|{1}, {0}
        ,|.|5|-|#%
        #\u{A0}¤||||EUR€ GBP£ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ THB฿
        @ja


        月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日

        y年M月d日EEEE|y年M月d日|y/MM/dd|y/MM/dd|H:mm|H:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        .|,|4|-|#%
        ¤#||||EUR€ USD$ GBP£ JPY￥ CNY元 AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @ko
        1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월

        월요일|화요일|수요일|목요일|금요일|토요일|일요일
        AM|PM
        y년 MMMM d일 EEEE|y년 MMMM d일|y. M. d.|yy. M. d.|a h:mm|a h:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        .|,|4|-|#%
        ¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @lt
        sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio

        pirmadienis|antradienis|trečiadienis|ketvirtadienis|penktadienis|šeštadienis|sekmadienis

        y 'm'. MMMM d 'd'., EEEE|y 'm'. MMMM d 'd'.|y-MM-dd|y-MM-dd|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|\u{A0}|4|−|#\u{A0}%
        #\u{A0}¤||||EUR€
        @lv
        janvāris|februāris|marts|aprīlis|maijs|jūnijs|jūlijs|augusts|septembris|oktobris|novembris|decembris
        janv.|febr.|marts|apr.|maijs|jūn.|jūl.|aug.|sept.|okt.|nov.|dec.
        pirmdiena|otrdiena|trešdiena|ceturtdiena|piektdiena|sestdiena|svētdiena

        EEEE, y. 'gada' d. MMMM|y. 'gada' d. MMMM|y. 'gada' d. MMM|dd.MM.yy|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|\u{A0}|5|-|#%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @nb
        januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember
        jan.|feb.|mars|apr.|mai|juni|juli|aug.|sep.|okt.|nov.|des.
        mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag

        EEEE d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|−|#\u{A0}%
        #\u{A0}¤||||EUR€ GBP£ NOKkr
        @nl
        januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december
        jan|feb|mrt|apr|mei|jun|jul|aug|sep|okt|nov|dec
        maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag

        EEEE d MMMM y|d MMMM y|d MMM y|dd-MM-y|HH:mm|HH:mm:ss
        {1} om {0}|{1} om {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        ¤\u{A0}#|¤\u{A0}-#|||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADC$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        @nn^nb
        2:måndag|tysdag|onsdag|torsdag|fredag|laurdag|søndag
        7:#\u{A0}¤||||EUR€ NOKkr
        @no^nb
        @pl
        stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia
        sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru
        poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela

        EEEE, d MMMM y|d MMMM y|d MMM y|d.MM.y|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#%
        #\u{A0}¤||||EUR€ PLNzł BRLR$
        @pt
        janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro
        jan.|fev.|mar.|abr.|mai.|jun.|jul.|ago.|set.|out.|nov.|dez.
        segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo

        EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d 'de' MMM 'de' y|dd/MM/y|HH:mm|HH:mm:ss
        {1} às {0}|{1} às {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        ¤\u{A0}#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ \
        THB฿
        @pt-pt^pt
        1:
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy|HH:mm|HH:mm:ss
        6:,|\u{A0}|5|-|#%
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ \
        THB฿
        @ro
        ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie
        ian.|feb.|mar.|apr.|mai|iun.|iul.|aug.|sept.|oct.|nov.|dec.
        luni|marți|miercuri|joi|vineri|sâmbătă|duminică

        EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} la {0}|{1} la {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||
        @ru
        января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря
        янв.|февр.|мар.|апр.|мая|июн.|июл.|авг.|сент.|окт.|нояб.|дек.
        понедельник|вторник|среда|четверг|пятница|суббота|воскресенье

        EEEE, d MMMM y\u{202F}г.|d MMMM y\u{202F}г.|d MMM y\u{202F}г.|dd.MM.y|HH:mm|HH:mm:ss
        {1} в {0}|{1} в {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ UAH₴ RUB₽ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        @fr-be^fr
        4:EEEE d MMMM y|d MMMM y|d MMM y|d/MM/yy|HH:mm|HH:mm:ss
        @it-ch^it
        4:EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.yy|HH:mm|HH:mm:ss
        6:.|'|5|-|#%
        7:¤\u{A0}#|¤-#|||EUR€ GBP£ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ THB฿
        @nl-be^nl
        4:EEEE d MMMM y|d MMMM y|d MMM y|d/MM/y|HH:mm|HH:mm:ss
        @fr-lu^fr
        6:,|.|4|-|#\u{A0}%
        @nl-bq^nl
        7:¤\u{A0}#|¤\u{A0}-#|||EUR€ USD$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADC$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        @pt-ao^pt-pt
        6:,|\u{A0}|4|-|#%
        @ru-ua^ru
        6:,|\u{A0}|5|-|#\u{A0}%
        """
}
