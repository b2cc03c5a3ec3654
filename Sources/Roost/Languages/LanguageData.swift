/// Days, times, numbers and money of languages as Unicode CLDR 48.0 has them: their names, patterns and
/// signs, as a LanguageFormat reads them: below its tag the lines of each language, or those that differ from the
/// lines of the one after `^`. `scripts/language-data` writes them; here are those from A to E.
enum LanguageData {
    static let all = [aToE, fToR, sToZ]

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

    static let aToE = """
        @ar
        يناير|فبراير|مارس|أبريل|مايو|يونيو|يوليو|أغسطس|سبتمبر|أكتوبر|نوفمبر|ديسمبر

        الاثنين|الثلاثاء|الأربعاء|الخميس|الجمعة|السبت|الأحد
        ص|م
        EEEE، d MMMM y|d MMMM y|dd\u{200F}/MM\u{200F}/y|d\u{200F}/M\u{200F}/y|h:mm a|h:mm:ss a
        {1} في {0}|{1} في {0}|{1}، {0}|{1}، {0}
        .|,|4|\u{200E}-|#\u{200E}%\u{200E}
        \u{200F}#\u{A0}¤|\u{200F}\u{200E}-#\u{A0}¤|||EUR€ USDUS$ GBPUK£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ \
        ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ EGPج.م. SARر.س. THB฿
        @be
        студзеня|лютага|сакавіка|красавіка|мая|чэрвеня|ліпеня|жніўня|верасня|кастрычніка|лістапада|снежня
        сту|лют|сак|кра|мая|чэр|ліп|жні|вер|кас|ліс|сне
        панядзелак|аўторак|серада|чацвер|пятніца|субота|нядзеля

        EEEE, d MMMM y\u{202F}г.|d MMMM y\u{202F}г.|d MMM y\u{202F}г.|d.MM.yy|HH:mm|HH:mm:ss
        {1} у {0}|{1} у {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ RUB₽ BYNBr ILS₪ INR₹ KRW₩ MXNMX$ VND₫
        @bg
        януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември

        понеделник|вторник|сряда|четвъртък|петък|събота|неделя

        EEEE, d MMMM y\u{202F}г.|d MMMM y\u{202F}г.|d.MM.y\u{202F}г.|d.MM.yy\u{202F}г.|H:mm|H:mm:ss
        {1} в {0}|{1} в {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|-|#%
        #\u{A0}¤||||EUR€ USDщ.д. BGNлв.
        @bs
        januar|februar|mart|april|maj|juni|juli|august|septembar|oktobar|novembar|decembar
        jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec
        ponedjeljak|utorak|srijeda|četvrtak|petak|subota|nedjelja

        EEEE, d. MMMM y.|d. MMMM y.|d. MMM y.|d. M. y.|HH:mm|HH:mm:ss
        {1} u {0}|{1} u {0}|{1} u {0}|{1} u {0}
        ,|.|4|-|#%
        #\u{A0}¤||||EUR€ JPY¥ RSDdin. INR₹ KRW₩ VND₫ THB฿
        @ca
        de gener|de febrer|de març|d’abril|de maig|de juny|de juliol|d’agost|de setembre|d’octubre|de \
        novembre|de desembre
        de gen.|de febr.|de març|d’abr.|de maig|de juny|de jul.|d’ag.|de set.|d’oct.|de nov.|de des.
        dilluns|dimarts|dimecres|dijous|divendres|dissabte|diumenge

        EEEE, d MMMM 'del' y|d MMMM 'del' y|d MMM y|d/M/yy|H:mm|H:mm:ss
        {1}, a les {0}|{1}, a les {0}|{1}, {0}|{1} {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ GBP£ JPY¥ AUDAU$ NZDNZ$ ILS₪ INR₹ KRW₩ VND₫ THB฿
        @cs
        ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince

        pondělí|úterý|středa|čtvrtek|pátek|sobota|neděle

        EEEE d. MMMM y|d. MMMM y|d. M. y|dd.MM.yy|H:mm|H:mm:ss
        {1} v {0}|{1} v {0}|{1} {0}|{1} {0}
        ,|\u{A0}|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ CZKKč KRW₩ BRLR$ MXNMX$
        @cy
        Ionawr|Chwefror|Mawrth|Ebrill|Mai|Mehefin|Gorffennaf|Awst|Medi|Hydref|Tachwedd|Rhagfyr
        Ion|Chwef|Maw|Ebr|Mai|Meh|Gorff|Awst|Medi|Hyd|Tach|Rhag
        Dydd Llun|Dydd Mawrth|Dydd Mercher|Dydd Iau|Dydd Gwener|Dydd Sadwrn|Dydd Sul

        EEEE, d MMMM y|d MMMM y|d MMM y|dd/MM/yy|HH:mm|HH:mm:ss
        {1} am {0}|{1} am {0}|{1}, {0}|{1}, {0}
        .|,|4|-|#%
        ¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ BRLR$ MXNMX$ VND₫ THB฿
        @da
        januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december
        jan.|feb.|mar.|apr.|maj|jun.|jul.|aug.|sep.|okt.|nov.|dec.
        mandag|tirsdag|onsdag|torsdag|fredag|lørdag|søndag

        EEEE 'den' d. MMMM y|d. MMMM y|d. MMM y|dd.MM.y|HH.mm|HH.mm.ss
        {1} kl. {0}|{1} kl. {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ DKKkr. ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫ THB฿
        @de
        Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember

        Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag

        EEEE, d. MMMM y|d. MMMM y|dd.MM.y|dd.MM.yy|HH:mm|HH:mm:ss
        {1} um {0}|{1} um {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @de-at^de
        0:Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember
        6:,|\u{A0}|4|-|#\u{A0}%
        7:¤\u{A0}#|||.|EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @de-ch^de
        6:.|'|4|-|#%
        7:¤\u{A0}#|¤-#|||USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @el
        Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|\
        Νοεμβρίου|Δεκεμβρίου
        Ιαν|Φεβ|Μαρ|Απρ|Μαΐ|Ιουν|Ιουλ|Αυγ|Σεπ|Οκτ|Νοε|Δεκ
        Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Σάββατο|Κυριακή
        π.μ.|μ.μ.
        EEEE d MMMM y|d MMMM y|d MMM y|d/M/yy|h:mm a|h:mm:ss a
        {1} στις {0}|{1} στις {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @en
        January|February|March|April|May|June|July|August|September|October|November|December
        Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec
        Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
        AM|PM
        EEEE, MMMM d, y|MMMM d, y|MMM d, y|M/d/yy|h:mm a|h:mm:ss a
        {1} at {0}|{1} at {0}|{1}, {0}|{1}, {0}
        .|,|4|-|#%
        ¤#||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-gb^en
        1:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept|Oct|Nov|Dec
        3:
        4:EEEE, d MMMM y|d MMMM y|d MMM y|dd/MM/y|HH:mm|HH:mm:ss
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @es
        enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
        ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic
        lunes|martes|miércoles|jueves|viernes|sábado|domingo

        EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/yy|H:mm|H:mm:ss
        {1}, {0}|{1} a las {0}|{1}, {0}|{1}, {0}
        ,|.|5|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USDUS$ VND₫ THB฿
        @es-mx^es
        1:ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic
        3:a.m.|p.m.
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|dd/MM/yy|h:mm a|h:mm:ss a
        6:.|,|4|-|#%
        7:¤#||||MXN$
        @et
        jaanuar|veebruar|märts|aprill|mai|juuni|juuli|august|september|oktoober|november|detsember
        jaan|veebr|märts|apr|mai|juuni|juuli|aug|sept|okt|nov|dets
        esmaspäev|teisipäev|kolmapäev|neljapäev|reede|laupäev|pühapäev

        EEEE, d. MMMM y|d. MMMM y|d. MMM y|dd.MM.yy|HH:mm|HH:mm:ss
        {1}, kell {0}|{1}, kell {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|−|#%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @eu
        urtarrila|otsaila|martxoa|apirila|maiatza|ekaina|uztaila|abuztua|iraila|urria|azaroa|abendua
        urt.|ots.|mar.|api.|mai.|eka.|uzt.|abu.|ira.|urr.|aza.|abe.
        astelehena|asteartea|asteazkena|osteguna|ostirala|larunbata|igandea

        y('e')'ko' MMMM'ren' d('a'), EEEE|y('e')'ko' MMMM'ren' d('a')|y('e')'ko' MMM d('a')|yy/M/d|HH:mm|\
        HH:mm:ss
        {1} ({0})|{1} ({0})|{1} ({0})|{1} ({0})
        ,|.|4|−|%\u{A0}#
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @en-001^en-gb
        3:am|pm
        4:EEEE, d MMMM y|d MMMM y|d MMM y|dd/MM/y|h:mm a|h:mm:ss a
        @en-au^en-001
        1:Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec
        4:EEEE, d MMMM y|d MMMM y|d MMM y|d/M/yy|h:mm a|h:mm:ss a
        7:¤#||||AUD$
        @en-ca^en
        3:a.m.|p.m.
        4:EEEE, MMMM d, y|MMMM d, y|MMM d, y|y-MM-dd|h:mm a|h:mm:ss a
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CAD$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-ie^en-gb
        4:EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/y|HH:mm|HH:mm:ss
        @en-nz^en-001
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZD$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-za^en-gb
        4:EEEE, dd MMMM y|dd MMMM y|dd MMM y|y/MM/dd|HH:mm|HH:mm:ss
        6:,|\u{A0}|4|-|#%
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ ZARR
        @es-419^es-mx
        1:ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/yy|h:mm a|h:mm:ss a
        7:¤\u{A0}#||||
        @es-ar^es-419
        3:a.\u{202F}m.|p.\u{202F}m.
        6:,|.|4|-|#%
        7:¤\u{A0}#||||USDUS$ ARS$
        @es-cl^es-ar
        1:
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd-MM-y|dd-MM-yy|h:mm a|h:mm:ss a
        7:¤#|¤-#|||USDUS$ CLP$
        @es-co^es-cl
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d/MM/y|d/MM/yy|h:mm a|h:mm:ss a
        7:¤\u{A0}#||||USDUS$ COP$
        @es-us^es-419
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/y|h:mm a|h:mm:ss a
        7:¤#||||USD$ JPY¥
        @de-li^de-ch
        7:¤\u{A0}#||||USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @ar-dz^ar
        6:,|.|4|\u{200E}-|#\u{200E}%\u{200E}
        @en-at^en-gb
        6:,|.|4|-|#\u{A0}%
        7:¤\u{A0}#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-be^en-gb
        6:,|.|4|-|#%
        7:¤#||.|,|EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-cc^en-gb
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUD$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-ch^en-gb
        6:.|'|4|-|#%
        7:¤\u{A0}#|¤-#|||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-ck^en-gb
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZD$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-dk^en-at
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ DKKkr. ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫
        @en-fi^en-be
        6:,|\u{A0}|4|-|#\u{A0}%
        @en-fr^en-be
        6:,|\u{202F}|4|-|#%
        @en-ge^en-fr
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-id^en-be
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ IDRRp VND₫
        @en-ki^en-001
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUD$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @en-no^en-fi
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ NOKkr ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫
        @en-se^en-fi
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ SEKkr ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫
        @en-sg^en-au
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        @es-bo^es-ar
        7:¤\u{A0}#||||
        @es-cr^es-bo
        6:,|\u{A0}|4|-|#%
        @es-ec^es-ar
        7:¤#|¤-#|||USD$
        @es-sv^es-419
        7:¤#||||USD$
        """
}
