/// The languages from I to Z.
extension LanguageData {
    static let iToZ: [String: String] = [
        "id": """
        Januari|Februari|Maret|April|Mei|Juni|Juli|Agustus|September|Oktober|November|Desember
        Jan|Feb|Mar|Apr|Mei|Jun|Jul|Agu|Sep|Okt|Nov|Des
        Senin|Selasa|Rabu|Kamis|Jumat|Sabtu|Minggu

        EEEE, dd MMMM y|d MMMM y|d MMM y|dd/MM/yy|HH.mm|HH.mm.ss
        {1} pukul {0}|{1} pukul {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        """,
        "is": """
        janúar|febrúar|mars|apríl|maí|júní|júlí|ágúst|september|október|nóvember|desember
        jan.|feb.|mar.|apr.|maí|jún.|júl.|ágú.|sep.|okt.|nóv.|des.
        mánudagur|þriðjudagur|miðvikudagur|fimmtudagur|föstudagur|laugardagur|sunnudagur

        EEEE, d. MMMM y|d. MMMM y|d. MMM y|d.M.y|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        """,
        "it": """
        gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre
        gen|feb|mar|apr|mag|giu|lug|ago|set|ott|nov|dic
        lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica

        EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/yy|HH:mm|HH:mm:ss
        {1} alle ore {0}|{1} alle ore {0}|{1}, {0}|{1}, {0}
        ,|.|5|-|#%
        """,
        "ja": """


        月曜日|火曜日|水曜日|木曜日|金曜日|土曜日|日曜日

        y年M月d日EEEE|y年M月d日|y/MM/dd|y/MM/dd|H:mm|H:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        .|,|4|-|#%
        """,
        "ko": """
        1월|2월|3월|4월|5월|6월|7월|8월|9월|10월|11월|12월

        월요일|화요일|수요일|목요일|금요일|토요일|일요일
        AM|PM
        y년 MMMM d일 EEEE|y년 MMMM d일|y. M. d.|yy. M. d.|a h:mm|a h:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        .|,|4|-|#%
        """,
        "lt": """
        sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio

        pirmadienis|antradienis|trečiadienis|ketvirtadienis|penktadienis|šeštadienis|sekmadienis

        y 'm'. MMMM d 'd'., EEEE|y 'm'. MMMM d 'd'.|y-MM-dd|y-MM-dd|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|\u{A0}|4|−|#\u{A0}%
        """,
        "lv": """
        janvāris|februāris|marts|aprīlis|maijs|jūnijs|jūlijs|augusts|septembris|oktobris|novembris|decembris
        janv.|febr.|marts|apr.|maijs|jūn.|jūl.|aug.|sept.|okt.|nov.|dec.
        pirmdiena|otrdiena|trešdiena|ceturtdiena|piektdiena|sestdiena|svētdiena

        EEEE, y. 'gada' d. MMMM|y. 'gada' d. MMMM|y. 'gada' d. MMM|dd.MM.yy|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|\u{A0}|5|-|#%
        """,
        "nb": """
        januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember
        jan.|feb.|mars|apr.|mai|juni|juli|aug.|sep.|okt.|nov.|des.
        mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag

        EEEE d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|−|#\u{A0}%
        """,
        "nl": """
        januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december
        jan|feb|mrt|apr|mei|jun|jul|aug|sep|okt|nov|dec
        maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag

        EEEE d MMMM y|d MMMM y|d MMM y|dd-MM-y|HH:mm|HH:mm:ss
        {1} om {0}|{1} om {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        """,
        "nn": """
        januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember
        jan.|feb.|mars|apr.|mai|juni|juli|aug.|sep.|okt.|nov.|des.
        måndag|tysdag|onsdag|torsdag|fredag|laurdag|søndag

        EEEE d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|−|#\u{A0}%
        """,
        "no": """
        januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember
        jan.|feb.|mars|apr.|mai|juni|juli|aug.|sep.|okt.|nov.|des.
        mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag

        EEEE d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|−|#\u{A0}%
        """,
        "pl": """
        stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia
        sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru
        poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela

        EEEE, d MMMM y|d MMMM y|d MMM y|d.MM.y|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#%
        """,
        "pt": """
        janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro
        jan.|fev.|mar.|abr.|mai.|jun.|jul.|ago.|set.|out.|nov.|dez.
        segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo

        EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d 'de' MMM 'de' y|dd/MM/y|HH:mm|HH:mm:ss
        {1} às {0}|{1} às {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        """,
        "pt-pt": """
        janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro

        segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo

        EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy|HH:mm|HH:mm:ss
        {1} às {0}|{1} às {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#%
        """,
        "ro": """
        ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie
        ian.|feb.|mar.|apr.|mai|iun.|iul.|aug.|sept.|oct.|nov.|dec.
        luni|marți|miercuri|joi|vineri|sâmbătă|duminică

        EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} la {0}|{1} la {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        """,
        "ru": """
        января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря
        янв.|февр.|мар.|апр.|мая|июн.|июл.|авг.|сент.|окт.|нояб.|дек.
        понедельник|вторник|среда|четверг|пятница|суббота|воскресенье

        EEEE, d MMMM y\u{202F}г.|d MMMM y\u{202F}г.|d MMM y\u{202F}г.|dd.MM.y|HH:mm|HH:mm:ss
        {1} в {0}|{1} в {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|-|#\u{A0}%
        """,
        "sk": """
        januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra

        pondelok|utorok|streda|štvrtok|piatok|sobota|nedeľa

        EEEE d. MMMM y|d. MMMM y|d. M. y|d. M. y|H:mm|H:mm:ss
        {1} o {0}|{1} o {0}|{1}, {0}|{1} {0}
        ,|\u{A0}|4|-|#\u{A0}%
        """,
        "sl": """
        januar|februar|marec|april|maj|junij|julij|avgust|september|oktober|november|december
        jan.|feb.|mar.|apr.|maj|jun.|jul.|avg.|sep.|okt.|nov.|dec.
        ponedeljek|torek|sreda|četrtek|petek|sobota|nedelja

        EEEE, d. MMMM y|d. MMMM y|d. MMM y|d. M. y|HH:mm|HH:mm:ss
        {1} ob {0}|{1} ob {0}|{1}, {0}|{1}, {0}
        ,|.|5|−|#\u{A0}%
        """,
        "sr": """
        јануар|фебруар|март|април|мај|јун|јул|август|септембар|октобар|новембар|децембар

        понедељак|уторак|среда|четвртак|петак|субота|недеља

        EEEE, d. MMMM y.|d. MMMM y.|d. M. y.|d. M. y.|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|.|4|-|#%
        """,
        "sr-latn": """
        januar|februar|mart|april|maj|jun|jul|avgust|septembar|oktobar|novembar|decembar

        ponedeljak|utorak|sreda|četvrtak|petak|subota|nedelja

        EEEE, d. MMMM y.|d. MMMM y.|d. M. y.|d. M. y.|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|.|4|-|#%
        """,
        "sv": """
        januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december
        jan.|feb.|mars|apr.|maj|juni|juli|aug.|sep.|okt.|nov.|dec.
        måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag

        EEEE d MMMM y|d MMMM y|d MMM y|y-MM-dd|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1} {0}|{1} {0}
        ,|\u{A0}|4|−|#\u{A0}%
        """,
        "tr": """
        Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık
        Oca|Şub|Mar|Nis|May|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara
        Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar

        d MMMM y EEEE|d MMMM y|d MMM y|d.MM.y|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|.|4|-|%#
        """,
        "uk": """
        січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня
        січ.|лют.|бер.|квіт.|трав.|черв.|лип.|серп.|вер.|жовт.|лист.|груд.
        понеділок|вівторок|середа|четвер|пʼятниця|субота|неділя

        EEEE, d MMMM y\u{202F}р.|d MMMM y\u{202F}р.|d MMM y\u{202F}р.|dd.MM.yy|HH:mm|HH:mm:ss
        {1} о {0}|{1} о {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|-|#%
        """,
        "vi": """
        tháng 1|tháng 2|tháng 3|tháng 4|tháng 5|tháng 6|tháng 7|tháng 8|tháng 9|tháng 10|tháng 11|tháng 12
        thg 1|thg 2|thg 3|thg 4|thg 5|thg 6|thg 7|thg 8|thg 9|thg 10|thg 11|thg 12
        Thứ Hai|Thứ Ba|Thứ Tư|Thứ Năm|Thứ Sáu|Thứ Bảy|Chủ Nhật

        EEEE, d MMMM, y|d MMMM, y|d MMM, y|d/M/yy|HH:mm|HH:mm:ss
        lúc {0} {1}|lúc {0} {1}|{0} {1}|{0} {1}
        ,|.|4|-|#%
        """,
        "zh": """


        星期一|星期二|星期三|星期四|星期五|星期六|星期日

        y年M月d日EEEE|y年M月d日|y年M月d日|y/M/d|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        .|,|4|-|#%
        """,
    ]
}
