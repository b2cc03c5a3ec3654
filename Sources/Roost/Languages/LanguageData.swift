/// Days, times, numbers and money of languages as Unicode CLDR 48.0 has them: their names, patterns and
/// signs, as a LanguageFormat reads them. `scripts/language-data` writes them; here are those from A to D.
enum LanguageData {
    static let all: [String: String] = [aToD, e, fToK, lToR, sToZ].reduce(into: [:]) { $0.merge($1) { one, _ in one } }

    /// The regions that write as another one of their language does.
    static let relatives = """
        ar-dz: ly ma tn
        en-001: ag bb bm bs cy dm er fj fm gd gh gm gy hk jm kn ky lc lr ls mo mw my na pg pk pw sb sd sl \
        ss sz tc to tt vc vg vu ws zm
        en-gb: ai bw bz cm dg fk gg gi gs il im io je ke mg ms mt mu mv ng rw sc sh sx tz ug zw
        en-cc: cx nf nr tv
        en-za: cz ee hu lt lv pt sk ua
        en-at: de
        en-be: es it nl si
        en-ck: nu pn tk
        en-id: pl ro
        es-419: br bz cu do gt hn ni pa pe
        es-us: pr
        es-bo: py uy ve
        fr-lu: ma
        pt-pt: ch cv gq gw lu mo mz st tl
        sr-latn: me
        """

    /// The currencies with another number of decimals than two.
    static let currencyDecimals = """
        AFN0 ALL0 BHD3 BIF0 CLP0 COP0 DJF0 GNF0 HUF0 IDR0 IQD0 IRR0 ISK0 JOD3 JPY0 KMF0 KPW0 KRW0 KWD3 LAK0 \
        LBP0 LYD3 MGA0 MMK0 OMR3 PKR0 PYG0 RWF0 SLL0 SOS0 SYP0 TND3 UGX0 VND0 VUV0 XAF0 XOF0 XPF0 YER0
        """

    static let aToD: [String: String] = [
        "ar": """
        يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر

        الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد
        ص|م
        EEEE، d MMMM y|d MMMM y|dd\u{200F}/MM\u{200F}/y|d\u{200F}/M\u{200F}/y|h:mm a|h:mm:ss a
        {1} في {0}|{1} في {0}|{1}، {0}|{1}، {0}
        .|,|4|\u{200E}-|#\u{200E}%\u{200E}
        \u{200F}#\u{A0}¤|\u{200F}\u{200E}-#\u{A0}¤|||EUR€ USDUS$ GBPUK£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ \
        ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ EGPج.م. SARر.س. THB฿
        """,
        "be": """
        студзеня|лютага|сакавіка|красавіка|мая|чэрвеня|ліпеня|жніўня|верасня|кастрычніка|лістапада|снежня
        сту|лют|сак|кра|мая|чэр|ліп|жні|вер|кас|ліс|сне
        панядзелак|аўторак|серада|чацвер|пятніца|субота|нядзеля

        EEEE, d MMMM y\u{202F}г.|d MMMM y\u{202F}г.|d MMM y\u{202F}г.|d.MM.yy|HH:mm|HH:mm:ss
        {1} у {0}|{1} у {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ RUB₽ BYNBr ILS₪ INR₹ KRW₩ MXNMX$ VND₫
        """,
        "bg": """
        януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември

        понеделник|вторник|сряда|четвъртък|петък|събота|неделя

        EEEE, d MMMM y\u{202F}г.|d MMMM y\u{202F}г.|d.MM.y\u{202F}г.|d.MM.yy\u{202F}г.|H:mm|H:mm:ss
        {1} в {0}|{1} в {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#%
        #\u{A0}¤||||EUR€ USDщ.д. BGNлв.
        """,
        "bs": """
        januar|februar|mart|april|maj|juni|juli|august|septembar|oktobar|novembar|decembar
        jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec
        ponedjeljak|utorak|srijeda|četvrtak|petak|subota|nedjelja

        EEEE, d. MMMM y.|d. MMMM y.|d. MMM y.|d. M. y.|HH:mm|HH:mm:ss
        {1} u {0}|{1} u {0}|{1} u {0}|{1} u {0}
        ,|.|4|-|#%
        #\u{A0}¤||||EUR€ JPY¥ RSDdin. INR₹ KRW₩ VND₫ THB฿
        """,
        "ca": """
        de gener|de febrer|de març|d’abril|de maig|de juny|de juliol|d’agost|de setembre|d’octubre|de \
        novembre|de desembre
        de gen.|de febr.|de març|d’abr.|de maig|de juny|de jul.|d’ag.|de set.|d’oct.|de nov.|de des.
        dilluns|dimarts|dimecres|dijous|divendres|dissabte|diumenge

        EEEE, d MMMM 'del' y|d MMMM 'del' y|d MMM y|d/M/yy|H:mm|H:mm:ss
        {1}, a les {0}|{1}, a les {0}|{1}, {0}|{1} {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ GBP£ JPY¥ AUDAU$ NZDNZ$ ILS₪ INR₹ KRW₩ VND₫ THB฿
        """,
        "cs": """
        ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince

        pondělí|úterý|středa|čtvrtek|pátek|sobota|neděle

        EEEE d. MMMM y|d. MMMM y|d. M. y|dd.MM.yy|H:mm|H:mm:ss
        {1} v {0}|{1} v {0}|{1} {0}|{1} {0}
        ,|\u{A0}|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ CZKKč KRW₩ BRLR$ MXNMX$
        """,
        "cy": """
        Ionawr|Chwefror|Mawrth|Ebrill|Mai|Mehefin|Gorffennaf|Awst|Medi|Hydref|Tachwedd|Rhagfyr
        Ion|Chwef|Maw|Ebr|Mai|Meh|Gorff|Awst|Medi|Hyd|Tach|Rhag
        Dydd Llun|Dydd Mawrth|Dydd Mercher|Dydd Iau|Dydd Gwener|Dydd Sadwrn|Dydd Sul

        EEEE, d MMMM y|d MMMM y|d MMM y|dd/MM/yy|HH:mm|HH:mm:ss
        {1} am {0}|{1} am {0}|{1}, {0}|{1}, {0}
        .|,|4|-|#%
        ¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "da": """
        januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december
        jan.|feb.|mar.|apr.|maj|jun.|jul.|aug.|sep.|okt.|nov.|dec.
        mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag

        EEEE 'den' d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y|HH.mm|HH.mm.ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ DKKkr. ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        """,
        "de": """
        Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember

        Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag

        EEEE, d. MMMM y|d. MMMM y|dd.MM.y|dd.MM.yy|HH:mm|HH:mm:ss
        {1} um {0}|{1} um {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "de-at": """
        ^de
        0:Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember
        6:,|\u{A0}|4|-|#\u{A0}%
        7:¤\u{A0}#|||.|EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "de-ch": """
        ^de
        6:.|'|4|-|#%
        7:¤\u{A0}#|¤-#|||USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "de-li": """
        ^de-ch
        7:¤\u{A0}#||||USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "ar-dz": """
        ^ar
        6:,|.|4|\u{200E}-|#\u{200E}%\u{200E}
        """,
    ]
}
