/// A number by its decimal digits, which is rounded exactly as they say.
struct DecimalNumber {
    /// The digits, from 0 to 9, without zeros at the beginning.
    private var digits: [UInt8]
    /// The number of digits before the decimal point; it is negative if zeros follow that.
    private var point: Int
    /// Whether it is below zero.
    var isNegative: Bool
    /// The number of decimals that are written at least.
    private var leastDecimals = 0

    /// More decimals than the digits of a `Double` need, unless it is very small.
    static let mostDecimals = 40
    /// The most digits before the point and after it, more than any `Double` has.
    private static let longest = 400

    /// Reads a number as Swift and JSON write it.
    ///
    ///     number = [ "-" ] 1*DIGIT [ "." 1*DIGIT ] [ ( "e" / "E" ) [ "+" / "-" ] 1*DIGIT ]
    ///
    /// - Returns: nil for any other text, and for one that is longer than any number that is meant to be read.
    init?(_ text: String) {
        var rest = text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        let whole = rest.prefix { $0.isDigit }
        rest = rest[whole.endIndex...]
        var fraction = rest.prefix(0)
        if rest.first == UInt8(ascii: ".") {
            fraction = rest.dropFirst().prefix { $0.isDigit }
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        }
        guard !whole.isEmpty, text.utf8.count <= Self.longest, let exponent = Self.exponent(rest) else { return nil }
        let all = (Array(whole) + Array(fraction)).map { $0 - UInt8(ascii: "0") }
        digits = Array(all.drop { $0 == 0 })
        point = whole.count + exponent - (all.count - digits.count)
    }

    /// The number after an `e`; 0 for nothing, nil for anything else.
    private static func exponent(_ text: Substring.UTF8View) -> Int? {
        guard let first = text.first else { return 0 }
        guard first | 0x20 == UInt8(ascii: "e") else { return nil }
        let isNegative = text.dropFirst().first == UInt8(ascii: "-")
        let hasSign = isNegative || text.dropFirst().first == UInt8(ascii: "+")
        let digits = text.dropFirst(hasSign ? 2 : 1)
        guard (1...3).contains(digits.count), digits.allSatisfy({ $0.isDigit }) else { return nil }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value <= longest ? (isNegative ? -value : value) : nil
    }

    /// The number in hundredths.
    var inHundredths: DecimalNumber {
        var number = self
        number.point += 2
        return number
    }

    /// The number with at least and at most so many decimals. One in the middle between two goes to the even one.
    func rounded(to decimals: ClosedRange<Int>) -> DecimalNumber {
        var number = self
        number.leastDecimals = decimals.lowerBound
        let kept = point + decimals.upperBound
        if kept < digits.count {
            number.digits = kept < 0 ? [] : Array(digits[..<kept])
            if kept >= 0, isMore(than: kept) { number.increment(at: kept) }
        }
        if number.digits.allSatisfy({ $0 == 0 }) { number.isNegative = false }
        return number
    }

    /// Whether the digits from one on are more than half of the one before, or half of it where that is odd.
    private func isMore(than kept: Int) -> Bool {
        guard digits[kept] == 5, digits[(kept + 1)...].allSatisfy({ $0 == 0 }) else { return digits[kept] >= 5 }
        return kept > 0 && !digits[kept - 1].isMultiple(of: 2)
    }

    private mutating func increment(at end: Int) {
        var index = end - 1
        while index >= 0, digits[index] == 9 {
            digits[index] = 0
            index -= 1
        }
        if index >= 0 {
            digits[index] += 1
        } else {
            digits.insert(1, at: 0)
            point += 1
        }
    }

    /// The digits before the point.
    var whole: String {
        guard point > 0, digits.contains(where: { $0 != 0 }) else { return "0" }
        let given = digits.prefix(point)
        return Self.text(given + Array(repeating: 0, count: point - given.count))
    }

    /// The digits after the point, without zeros at the end that need not be there.
    var fraction: String {
        var decimals = Array(repeating: UInt8(0), count: max(0, -point)) + digits.dropFirst(max(0, point))
        while decimals.count > leastDecimals, decimals.last == 0 { decimals.removeLast() }
        return Self.text(decimals + Array(repeating: 0, count: max(0, leastDecimals - decimals.count)))
    }

    /// The number as an integer; nil if it has decimals, or too many digits.
    var integer: Int? { fraction.isEmpty ? Int((isNegative ? "-" : "") + whole) : nil }

    private static func text(_ digits: some Sequence<UInt8>) -> String {
        String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    }
}
