// Language negotiation (RFC 9110 §12.5.4, RFC 4647 §3).
//
//     Accept-Language = #( language-range [ weight ] )
//     language-range  = ( 1*8ALPHA *( "-" 1*8alphanum ) ) / "*"

extension Request {
    /// Returns the language that the client likes best; nil if it likes none of them, or does not say.
    ///
    /// A range fits a language that it names or begins (`de` fits `de-AT`), and also one that begins it, since somebody
    /// who asks for `de-CH` is better off with `de` than with another language.
    /// - Parameter languages: Tags as BCP 47 writes them: `de`, `pt-BR`.
    public func preferredLanguage(of languages: [String]) -> String? {
        guard headers.contains(.acceptLanguage) else { return nil }
        var choices = languages.map { LanguageChoice($0) }
        var count = 0
        receivedFields.forEachWeighted(.acceptLanguage) { range in
            count += 1
            guard count <= LanguageChoice.maximumRanges else { return }
            for index in choices.indices { choices[index].note(range, at: count) }
        }
        let best = choices.filter { $0.weight > 0 }.min { ($1.weight, $0.place) < ($0.weight, $1.place) }
        return best?.language
    }
}

/// A language, and how much a client likes it.
private struct LanguageChoice {
    /// The most ranges that are looked at; browsers send a handful. Any after those are ignored.
    static let maximumRanges = 100

    let language: String
    /// The quality that the client gives to it, in thousandths.
    private(set) var weight = 0
    /// The position in the field, from 1, of the range that gives the quality.
    private(set) var place = 0
    private let tag: [UInt8]
    /// The precision of that range: twice the bytes shared with the tag, less 1 if it asks for more; -1 without one.
    private var precision = -1

    init(_ language: String) {
        self.language = language
        tag = Array(language.utf8)
    }

    /// Takes note of one range of the field.
    mutating func note(_ range: WeightedElements.Element, at place: Int) {
        guard let precision = precision(of: range.name), precision > self.precision else { return }
        (self.precision, weight, self.place) = (precision, range.weight, place)
    }

    private func precision(of range: UnsafeBufferPointer<UInt8>) -> Int? {
        if range.isEqual(to: "*") { return 0 }
        let common = zip(range, tag).prefix { ($0 | 0x20) == ($1 | 0x20) }.count
        let hyphen = UInt8(ascii: "-")
        let fits = common == range.count && (common == tag.count || tag[common] == hyphen)
        let isFitted = common == tag.count && (common == range.count || range[common] == hyphen)
        // A range that asks for more than there is counts less than one that names the language itself.
        return fits ? 2 * common : isFitted ? 2 * common - 1 : nil
    }
}
