// Language negotiation (RFC 9110 §12.5.4, RFC 4647 §3).
//
//     Accept-Language = #( language-range [ weight ] )
//     language-range  = ( 1*8ALPHA *( "-" 1*8alphanum ) ) / "*"

extension Request {
    /// Returns the language that the client likes best; nil if it likes none of them, or does not say.
    ///
    /// A range fits a language that it names or begins (`de` fits `de-AT`), and also one that begins it, since somebody
    /// who asks for `de-CH` is better off with `de` than with another language. Of several that one range fits, the one
    /// that it names is the best. Chinese of a region is also that of its script: `zh-TW` fits `zh-Hant`.
    /// - Parameter languages: Tags as BCP 47 writes them: `de`, `pt-BR`.
    public func preferredLanguage(of languages: [String]) -> String? {
        guard headers.contains(.acceptLanguage) else { return nil }
        // Of each language, the range that fits it most precisely gives the weight, in thousandths, and the place.
        var choices = languages.map { (tag: Self.withScript($0.utf8), precision: -1, weight: 0, place: 0) }
        var count = 0
        receivedFields.forEachWeighted(.acceptLanguage) { range in
            count += 1
            guard count <= Self.maximumRanges else { return }
            let name = Self.withScript(range.name)
            for index in choices.indices {
                let choice = choices[index]
                guard let precision = Self.precision(of: name, for: choice.tag), precision > choice.precision else {
                    continue
                }
                choices[index] = (choice.tag, precision, range.weight, count)
            }
        }
        let best = zip(languages, choices).filter { $0.1.weight > 0 }
            .min { ($1.1.weight, $0.1.place, $1.1.precision) < ($0.1.weight, $1.1.place, $0.1.precision) }
        return best?.0
    }

    /// The most ranges that are looked at; browsers send a handful. Any after those are ignored.
    private static let maximumRanges = 100

    /// A tag or a range with the script in which its region writes Chinese (CLDR's likely subtags): `zh-Hant-TW` for
    /// `zh-TW`. Any other stays as it is.
    private static func withScript(_ name: some Sequence<UInt8>) -> [UInt8] {
        let name = Array(name)
        guard name.count == 5 else { return name }
        switch String(decoding: name, as: UTF8.self).lowercased() {
        case "zh-tw", "zh-hk", "zh-mo": return name[..<2] + Array("-Hant".utf8) + name[2...]
        case "zh-cn", "zh-sg", "zh-my": return name[..<2] + Array("-Hans".utf8) + name[2...]
        default: return name
        }
    }

    /// Twice the bytes that a range shares with a tag, and 1 more if it names the tag, or 1 less if it asks for more
    /// than that; nil if it does not fit.
    private static func precision(of name: [UInt8], for tag: [UInt8]) -> Int? {
        if name == [UInt8(ascii: "*")] { return 0 }
        let common = zip(name, tag).prefix { ($0 | 0x20) == ($1 | 0x20) }.count
        let hyphen = UInt8(ascii: "-")
        let fits = common == name.count && (common == tag.count || tag[common] == hyphen)
        let isFitted = common == tag.count && (common == name.count || name[common] == hyphen)
        // A range that asks for more than there is counts less than one that names the language itself.
        return fits ? 2 * common + (common == tag.count ? 1 : 0) : isFitted ? 2 * common - 1 : nil
    }
}
