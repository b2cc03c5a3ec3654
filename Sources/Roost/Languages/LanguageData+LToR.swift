/// The languages from L to R.
extension LanguageData {
    static let lToR: [String: String] = [
        "lt": """
        sausio|vasario|kovo|balandžio|gegužės|birželio|liepos|rugpjūčio|rugsėjo|spalio|lapkričio|gruodžio

        pirmadienis|antradienis|trečiadienis|ketvirtadienis|penktadienis|šeštadienis|sekmadienis

        y 'm'. MMMM d 'd'., EEEE|y 'm'. MMMM d 'd'.|y-MM-dd|y-MM-dd|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|\u{A0}|4|−|#\u{A0}%
        #\u{A0}¤||||EUR€
        """,
        "lv": """
        janvāris|februāris|marts|aprīlis|maijs|jūnijs|jūlijs|augusts|septembris|oktobris|novembris|decembris
        janv.|febr.|marts|apr.|maijs|jūn.|jūl.|aug.|sept.|okt.|nov.|dec.
        pirmdiena|otrdiena|trešdiena|ceturtdiena|piektdiena|sestdiena|svētdiena

        EEEE, y. 'gada' d. MMMM|y. 'gada' d. MMMM|y. 'gada' d. MMM|dd.MM.yy|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|\u{A0}|5|-|#%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "nb": """
        januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember
        jan.|feb.|mars|apr.|mai|juni|juli|aug.|sep.|okt.|nov.|des.
        mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag

        EEEE d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|−|#\u{A0}%
        #\u{A0}¤||||EUR€ GBP£ NOKkr
        """,
        "nl": """
        januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december
        jan|feb|mrt|apr|mei|jun|jul|aug|sep|okt|nov|dec
        maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag

        EEEE d MMMM y|d MMMM y|d MMM y|dd-MM-y|HH:mm|HH:mm:ss
        {1} om {0}|{1} om {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        ¤\u{A0}#|¤\u{A0}-#|||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADC$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        """,
        "nn": """
        ^nb
        2:måndag|tysdag|onsdag|torsdag|fredag|laurdag|søndag
        7:#\u{A0}¤||||EUR€ NOKkr
        """,
        "no": """
        ^nb
        """,
        "pl": """
        stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia
        sty|lut|mar|kwi|maj|cze|lip|sie|wrz|paź|lis|gru
        poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela

        EEEE, d MMMM y|d MMMM y|d MMM y|d.MM.y|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#%
        #\u{A0}¤||||EUR€ PLNzł BRLR$
        """,
        "pt": """
        janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro
        jan.|fev.|mar.|abr.|mai.|jun.|jul.|ago.|set.|out.|nov.|dez.
        segunda-feira|terça-feira|quarta-feira|quinta-feira|sexta-feira|sábado|domingo

        EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d 'de' MMM 'de' y|dd/MM/y|HH:mm|HH:mm:ss
        {1} às {0}|{1} às {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        ¤\u{A0}#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ \
        THB฿
        """,
        "pt-pt": """
        ^pt
        1:
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd/MM/y|dd/MM/yy|HH:mm|HH:mm:ss
        6:,|\u{A0}|5|-|#%
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ \
        THB฿
        """,
        "ro": """
        ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie
        ian.|feb.|mar.|apr.|mai|iun.|iul.|aug.|sept.|oct.|nov.|dec.
        luni|marți|miercuri|joi|vineri|sâmbătă|duminică

        EEEE, d MMMM y|d MMMM y|d MMM y|dd.MM.y|HH:mm|HH:mm:ss
        {1} la {0}|{1} la {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||
        """,
        "ru": """
        января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря
        янв.|февр.|мар.|апр.|мая|июн.|июл.|авг.|сент.|окт.|нояб.|дек.
        понедельник|вторник|среда|четверг|пятница|суббота|воскресенье

        EEEE, d MMMM y\u{202F}г.|d MMMM y\u{202F}г.|d MMM y\u{202F}г.|dd.MM.y|HH:mm|HH:mm:ss
        {1} в {0}|{1} в {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ UAH₴ RUB₽ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        """,
        "nl-be": """
        ^nl
        4:EEEE d MMMM y|d MMMM y|d MMM y|d/MM/y|HH:mm|HH:mm:ss
        """,
        "nl-bq": """
        ^nl
        7:¤\u{A0}#|¤\u{A0}-#|||EUR€ USD$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADC$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        """,
        "pt-ao": """
        ^pt-pt
        6:,|\u{A0}|4|-|#%
        """,
        "ru-ua": """
        ^ru
        6:,|\u{A0}|5|-|#\u{A0}%
        """,
    ]
}
