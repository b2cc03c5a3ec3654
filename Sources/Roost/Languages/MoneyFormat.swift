/// The way in which a language writes money (Unicode CLDR): `1.234,50 €` or `€1,234.50`.
struct MoneyFormat: Sendable {
    /// The signs of its numbers, which are not those of other numbers everywhere.
    let decimalSign, groupSign: String
    /// The places of the amount, `#`, and of the currency, `¤`; for amounts from zero on, and below.
    private let above, below: String
    /// The signs of currencies by their codes.
    private let signs: [String: String]

    /// Reads a line of ``LanguageData``: the patterns, the signs of the number, and those of currencies. What is empty
    /// follows from the signs of other numbers.
    init(_ line: [String], decimalSign: String, groupSign: String, minus: String) {
        let item = { (index: Int) in index < line.count && !line[index].isEmpty ? line[index] : nil }
        above = item(0) ?? "¤\u{A0}#"
        below = item(1) ?? minus + above
        self.decimalSign = item(2) ?? decimalSign
        self.groupSign = item(3) ?? groupSign
        var signs: [String: String] = [:]
        for sign in (item(4) ?? "").utf8.split(separator: UInt8(ascii: " ")) {
            signs[String(decoding: sign.prefix(3), as: UTF8.self)] = String(decoding: sign.dropFirst(3), as: UTF8.self)
        }
        self.signs = signs
    }

    /// An amount with its currency: a blank keeps a code of letters from the digits.
    func text(_ amount: String, _ code: String, isNegative: Bool) -> String {
        let sign = signs[code] ?? code
        let pattern = isNegative ? below : above
        let isWord = sign.unicodeScalars.last?.properties.isAlphabetic ?? false
        return (isWord ? pattern.replacing("¤#", with: "¤\u{A0}#") : pattern)
            .replacing("#", with: amount).replacing("¤", with: sign)
    }

    /// The decimals of a currency: two, for most of them.
    static func decimals(of code: String) -> Int { others[code] ?? 2 }

    /// Whether a text can be the code of a currency (ISO 4217).
    static func isCode(_ text: String) -> Bool {
        text.utf8.count == 3 && text.utf8.allSatisfy { $0 &- UInt8(ascii: "A") < 26 }
    }

    private static let others: [String: Int] = LanguageData.currencyDecimals.utf8.split { $0.isBlank }
        .reduce(into: [:]) { decimals, item in
            decimals[String(decoding: item.prefix(3), as: UTF8.self)] = item.last.map { Int($0 &- UInt8(ascii: "0")) }
        }
}
