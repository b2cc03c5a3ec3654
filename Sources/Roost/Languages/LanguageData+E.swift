/// The languages with E.
extension LanguageData {
    static let e: [String: String] = [
        "el": """
        Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|\
        Νοεμβρίου|Δεκεμβρίου
        Ιαν|Φεβ|Μαρ|Απρ|Μαΐ|Ιουν|Ιουλ|Αυγ|Σεπ|Οκτ|Νοε|Δεκ
        Δευτέρα|Τρίτη|Τετάρτη|Πέμπτη|Παρασκευή|Σάββατο|Κυριακή
        π.μ.|μ.μ.
        EEEE d MMMM y|d MMMM y|d MMM y|d/M/yy|h:mm a|h:mm:ss a
        {1} στις {0}|{1} στις {0}|{1}, {0}|{1}, {0}
        ,|.|4|-|#%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "en": """
        January|February|March|April|May|June|July|August|September|October|November|December
        Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec
        Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday
        AM|PM
        EEEE, MMMM d, y|MMMM d, y|MMM d, y|M/d/yy|h:mm a|h:mm:ss a
        {1} at {0}|{1} at {0}|{1}, {0}|{1}, {0}
        .|,|4|-|#%
        ¤#||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-gb": """
        ^en
        1:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept|Oct|Nov|Dec
        3:
        4:EEEE, d MMMM y|d MMMM y|d MMM y|dd/MM/y|HH:mm|HH:mm:ss
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "es": """
        enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre
        ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic
        lunes|martes|miércoles|jueves|viernes|sábado|domingo

        EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/yy|H:mm|H:mm:ss
        {1}, {0}|{1} a las {0}|{1}, {0}|{1}, {0}
        ,|.|5|-|#\u{A0}%
        #\u{A0}¤||||EUR€ USDUS$ VND₫ THB฿
        """,
        "es-mx": """
        ^es
        1:ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic
        3:a.m.|p.m.
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|dd/MM/yy|h:mm a|h:mm:ss a
        6:.|,|4|-|#%
        7:¤#||||MXN$
        """,
        "et": """
        jaanuar|veebruar|märts|aprill|mai|juuni|juuli|august|september|oktoober|november|detsember
        jaan|veebr|märts|apr|mai|juuni|juuli|aug|sept|okt|nov|dets
        esmaspäev|teisipäev|kolmapäev|neljapäev|reede|laupäev|pühapäev

        EEEE, d. MMMM y|d. MMMM y|d. MMM y|dd.MM.yy|HH:mm|HH:mm:ss
        {1}, kell {0}|{1}, kell {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|5|−|#%
        #\u{A0}¤||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "eu": """
        urtarrila|otsaila|martxoa|apirila|maiatza|ekaina|uztaila|abuztua|iraila|urria|azaroa|abendua
        urt.|ots.|mar.|api.|mai.|eka.|uzt.|abu.|ira.|urr.|aza.|abe.
        astelehena|asteartea|asteazkena|osteguna|ostirala|larunbata|igandea

        y('e')'ko' MMMM'ren' d('a'), EEEE|y('e')'ko' MMMM'ren' d('a')|y('e')'ko' MMM d('a')|yy/M/d|HH:mm|\
        HH:mm:ss
        {1} ({0})|{1} ({0})|{1} ({0})|{1} ({0})
        ,|.|4|−|%\u{A0}#
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        """,
        "en-001": """
        ^en-gb
        3:am|pm
        4:EEEE, d MMMM y|d MMMM y|d MMM y|dd/MM/y|h:mm a|h:mm:ss a
        """,
        "en-au": """
        ^en-001
        1:Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec
        4:EEEE, d MMMM y|d MMMM y|d MMM y|d/M/yy|h:mm a|h:mm:ss a
        7:¤#||||AUD$
        """,
        "en-ca": """
        ^en
        3:a.m.|p.m.
        4:EEEE, MMMM d, y|MMMM d, y|MMM d, y|y-MM-dd|h:mm a|h:mm:ss a
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CAD$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-ie": """
        ^en-gb
        4:EEEE d MMMM y|d MMMM y|d MMM y|dd/MM/y|HH:mm|HH:mm:ss
        """,
        "en-nz": """
        ^en-001
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZD$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-za": """
        ^en-gb
        4:EEEE, dd MMMM y|dd MMMM y|dd MMM y|y/MM/dd|HH:mm|HH:mm:ss
        6:,|\u{A0}|4|-|#%
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ ZARR
        """,
        "es-419": """
        ^es-mx
        1:ene|feb|mar|abr|may|jun|jul|ago|sept|oct|nov|dic
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/yy|h:mm a|h:mm:ss a
        7:¤\u{A0}#||||
        """,
        "es-ar": """
        ^es-419
        3:a.\u{202F}m.|p.\u{202F}m.
        6:,|.|4|-|#%
        7:¤\u{A0}#||||USDUS$ ARS$
        """,
        "es-cl": """
        ^es-ar
        1:
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|dd-MM-y|dd-MM-yy|h:mm a|h:mm:ss a
        7:¤#|¤-#|||USDUS$ CLP$
        """,
        "es-co": """
        ^es-cl
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d/MM/y|d/MM/yy|h:mm a|h:mm:ss a
        7:¤\u{A0}#||||USDUS$ COP$
        """,
        "es-us": """
        ^es-419
        4:EEEE, d 'de' MMMM 'de' y|d 'de' MMMM 'de' y|d MMM y|d/M/y|h:mm a|h:mm:ss a
        7:¤#||||USD$ JPY¥
        """,
        "en-at": """
        ^en-gb
        6:,|.|4|-|#\u{A0}%
        7:¤\u{A0}#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-be": """
        ^en-gb
        6:,|.|4|-|#%
        7:¤#||.|,|EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-cc": """
        ^en-gb
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUD$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-ch": """
        ^en-gb
        6:.|'|4|-|#%
        7:¤\u{A0}#|¤-#|||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-ck": """
        ^en-gb
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZD$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-dk": """
        ^en-at
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ DKKkr. ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫
        """,
        "en-fi": """
        ^en-be
        6:,|\u{A0}|4|-|#\u{A0}%
        """,
        "en-fr": """
        ^en-be
        6:,|\u{202F}|4|-|#%
        """,
        "en-ge": """
        ^en-fr
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-id": """
        ^en-be
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ IDRRp VND₫
        """,
        "en-ki": """
        ^en-001
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUD$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "en-no": """
        ^en-fi
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ NOKkr ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫
        """,
        "en-se": """
        ^en-fi
        7:#\u{A0}¤||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ SEKkr ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ \
        VND₫
        """,
        "en-sg": """
        ^en-au
        7:¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNYCN¥ AUDA$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """,
        "es-bo": """
        ^es-ar
        7:¤\u{A0}#||||
        """,
        "es-cr": """
        ^es-bo
        6:,|\u{A0}|4|-|#%
        """,
        "es-ec": """
        ^es-ar
        7:¤#|¤-#|||USD$
        """,
        "es-sv": """
        ^es-419
        7:¤#||||USD$
        """,
    ]
}
