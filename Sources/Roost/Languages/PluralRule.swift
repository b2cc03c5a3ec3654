/// The categories of numbers in languages, by which a sentence chooses its words (Unicode CLDR 47, cardinals).
public enum PluralRule {
    /// The languages whose rule is known. A table of any other language uses the English rule, or brings its own.
    public static var languages: [String] { Array(rules.keys).sorted() }

    /// The rule of a language; nil if it is not known. `pt-PT` has one of its own, all other regions that of their
    /// language.
    static func of(_ language: String) -> (@Sendable (Int) -> String)? {
        guard let rule = rules[language.lowercased()] ?? rules[primary(of: language)] else { return nil }
        return { rule(Int(clamping: $0.magnitude)) }  // -1 is as 1.
    }

    /// The language without its region, in small letters.
    static func primary(of language: String) -> String {
        language.lowercased().utf8.split(separator: UInt8(ascii: "-")).first.flatMap { String($0) } ?? ""
    }

    /// The category of a number with decimals, of which the last is no 0; `other` for one without.
    static func ofDecimals(_ number: DecimalNumber, in language: String) -> String {
        let (whole, text) = (number.whole, number.fraction)
        guard let decimals = Int(text), language.lowercased() != "pt-pt" else { return "other" }
        let endsInOne = ends(decimals, in: 1...1, butNot: 11...11)
        return switch primary(of: language) {
        case "fr", "pt", "da", "hy": whole == "0" || whole == "1" ? "one" : "other"
        case "fa", "hi", "bn", "gu", "kn", "zu", "am", "he": whole == "0" ? "one" : "other"
        case "is": endsInOne ? "one" : "other"
        case "sr", "hr", "bs": endsInOne ? "one" : isFew(decimals) ? "few" : "other"
        case "lv": text.utf8.count == 2 && 11...19 ~= decimals ? "zero" : decimals % 10 == 1 ? "one" : "other"
        case "cs", "sk", "lt": "many"
        case "sl", "ro": "few"
        default: "other"
        }
    }

    private typealias Rule = @Sendable (Int) -> String

    private static let rules: [String: Rule] = {
        let groups: [(String, Rule)] = [
            ("en de nl sv da nb nn no fi et hu el bg tr eu gl af sw ka az kk uz mn", Sentence.isOne),
            ("ja zh ko vi th id ms lo my", { _ in "other" }),
            ("es it ca pt-pt", { $0 == 1 ? "one" : isMillions($0) ? "many" : "other" }),
            ("fr pt", { $0 == 0 || $0 == 1 ? "one" : isMillions($0) ? "many" : "other" }),
            ("fa hi bn gu kn zu am hy", { $0 == 0 || $0 == 1 ? "one" : "other" }),
            ("is", { ends($0, in: 1...1, butNot: 11...11) ? "one" : "other" }),
            ("pl", { $0 == 1 ? "one" : isFew($0) ? "few" : "many" }),
            ("ru uk be", { ends($0, in: 1...1, butNot: 11...11) ? "one" : isFew($0) ? "few" : "many" }),
            ("sr hr bs", { ends($0, in: 1...1, butNot: 11...11) ? "one" : isFew($0) ? "few" : "other" }),
            ("cs sk", { $0 == 1 ? "one" : 2...4 ~= $0 ? "few" : "other" }),
            ("sl", { [1: "one", 2: "two", 3: "few", 4: "few"][$0.magnitude % 100] ?? "other" }),
            ("lt", lt), ("lv", lv),
            ("ro", { $0 == 1 ? "one" : $0 == 0 || 1...19 ~= $0.magnitude % 100 ? "few" : "other" }),
            ("he", { $0 == 1 ? "one" : $0 == 2 ? "two" : "other" }), ("ar", ar), ("ga", ga), ("cy", cy),
        ]
        var rules: [String: Rule] = [:]
        for (languages, rule) in groups {
            for language in languages.split(separator: " ") { rules[String(language)] = rule }
        }
        return rules
    }()

    private static func isMillions(_ number: Int) -> Bool { number != 0 && number.isMultiple(of: 1_000_000) }

    /// Whether the last digit is among some, and the last two are not among others.
    private static func ends(_ number: Int, in digits: ClosedRange<UInt>, butNot exceptions: ClosedRange<UInt>) -> Bool
    {
        digits.contains(number.magnitude % 10) && !exceptions.contains(number.magnitude % 100)
    }

    private static func isFew(_ number: Int) -> Bool { ends(number, in: 2...4, butNot: 12...14) }

    private static let lt: Rule = { number in
        if ends(number, in: 1...1, butNot: 11...19) { return "one" }
        return ends(number, in: 2...9, butNot: 11...19) ? "few" : "other"
    }

    private static let lv: Rule = { number in
        if number.magnitude % 10 == 0 || 11...19 ~= number.magnitude % 100 { return "zero" }
        return ends(number, in: 1...1, butNot: 11...11) ? "one" : "other"
    }

    private static let ar: Rule = { number in
        switch number {
        case 0: return "zero"
        case 1: return "one"
        case 2: return "two"
        default:
            let last = number.magnitude % 100
            return 3...10 ~= last ? "few" : 11...99 ~= last ? "many" : "other"
        }
    }

    private static let ga: Rule = { number in
        switch number {
        case 1: "one"
        case 2: "two"
        case 3...6: "few"
        case 7...10: "many"
        default: "other"
        }
    }

    private static let cy: Rule = { [0: "zero", 1: "one", 2: "two", 3: "few", 6: "many"][$0] ?? "other" }
}
