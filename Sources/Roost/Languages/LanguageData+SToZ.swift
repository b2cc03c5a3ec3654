/// The languages from S to Z.
extension LanguageData {
    static let sToZ = """
        @sk
        januára|februára|marca|apríla|mája|júna|júla|augusta|septembra|októbra|novembra|decembra

        pondelok|utorok|streda|štvrtok|piatok|sobota|nedeľa

        EEEE d. MMMM y|d. MMMM y|d. M. y|d. M. y|H:mm|H:mm:ss
        {1} o {0}|{1} o {0}|{1}, {0}|{1} {0}
        ,|\u{A0}|4|-|#\u{A0}%
        #\u{A0}¤||||EUR€ ILSNIS MXNMX$
        @sl
        januar|februar|marec|april|maj|junij|julij|avgust|september|oktober|november|december
        jan.|feb.|mar.|apr.|maj|jun.|jul.|avg.|sep.|okt.|nov.|dec.
        ponedeljek|torek|sreda|četrtek|petek|sobota|nedelja

        EEEE, d. MMMM y|d. MMMM y|d. MMM y|d. M. y|HH:mm|HH:mm:ss
        {1} ob {0}|{1} ob {0}|{1}, {0}|{1}, {0}
        ,|.|5|−|#\u{A0}%
        #\u{A0}¤||||EUR€ USD$ JPY¥ CNYCN¥ ILS₪ INR₹ KRW₩ VND₫
        @sr
        јануар|фебруар|март|април|мај|јун|јул|август|септембар|октобар|новембар|децембар

        понедељак|уторак|среда|четвртак|петак|субота|недеља

        EEEE, d. MMMM y.|d. MMMM y.|d. M. y.|d. M. y.|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|.|4|-|#%
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPY¥ CNYCN¥ CADCA$ ILS₪ INR₹ BRLR$ MXNMX$
        @sr-latn^sr
        0:januar|februar|mart|april|maj|jun|jul|avgust|septembar|oktobar|novembar|decembar
        2:ponedeljak|utorak|sreda|četvrtak|petak|subota|nedelja
        @sv
        januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december
        jan.|feb.|mars|apr.|maj|juni|juli|aug.|sep.|okt.|nov.|dec.
        måndag|tisdag|onsdag|torsdag|fredag|lördag|söndag

        EEEE d MMMM y|d MMMM y|d MMM y|y-MM-dd|HH:mm|HH:mm:ss
        {1} kl. {0}|{1} kl. {0}|{1} {0}|{1} {0}
        ,|\u{A0}|4|−|#\u{A0}%
        #\u{A0}¤||||EUR€ USDUS$ CADCA$ SEKkr NOKNkr DKKDkr ISKIkr ILS₪ BRLBR$ MXNMX$ EGPEG£
        @tr
        Ocak|Şubat|Mart|Nisan|Mayıs|Haziran|Temmuz|Ağustos|Eylül|Ekim|Kasım|Aralık
        Oca|Şub|Mar|Nis|May|Haz|Tem|Ağu|Eyl|Eki|Kas|Ara
        Pazartesi|Salı|Çarşamba|Perşembe|Cuma|Cumartesi|Pazar

        d MMMM y EEEE|d MMMM y|d MMM y|d.MM.y|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        ,|.|4|-|%#
        ¤#||||EUR€ USD$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ TRY₺ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @uk
        січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня
        січ.|лют.|бер.|квіт.|трав.|черв.|лип.|серп.|вер.|жовт.|лист.|груд.
        понеділок|вівторок|середа|четвер|пʼятниця|субота|неділя

        EEEE, d MMMM y\u{202F}р.|d MMMM y\u{202F}р.|d MMM y\u{202F}р.|dd.MM.yy|HH:mm|HH:mm:ss
        {1} о {0}|{1} о {0}|{1}, {0}|{1}, {0}
        ,|\u{A0}|4|-|#%
        #\u{A0}¤||||JPY¥ UAH₴
        @vi
        tháng 1|tháng 2|tháng 3|tháng 4|tháng 5|tháng 6|tháng 7|tháng 8|tháng 9|tháng 10|tháng 11|tháng 12
        thg 1|thg 2|thg 3|thg 4|thg 5|thg 6|thg 7|thg 8|thg 9|thg 10|thg 11|thg 12
        Thứ Hai|Thứ Ba|Thứ Tư|Thứ Năm|Thứ Sáu|Thứ Bảy|Chủ Nhật

        EEEE, d MMMM, y|d MMMM, y|d MMM, y|d/M/yy|HH:mm|HH:mm:ss
        lúc {0} {1}|lúc {0} {1}|{0} {1}|{0} {1}
        ,|.|4|-|#%
        #\u{A0}¤||||EUR€ USDUS$ GBP£ JPY¥ CNYCN¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫ THB฿
        @zh


        星期一|星期二|星期三|星期四|星期五|星期六|星期日

        y年M月d日EEEE|y年M月d日|y年M月d日|y/M/d|HH:mm|HH:mm:ss
        {1} {0}|{1} {0}|{1} {0}|{1} {0}
        .|,|4|-|#%
        ¤#||||EUR€ USDUS$ GBP£ JPYJP¥ CNY¥ AUDAU$ CADCA$ NZDNZ$ ILS₪ INR₹ KRW₩ BRLR$ MXNMX$ VND₫
        """
}
