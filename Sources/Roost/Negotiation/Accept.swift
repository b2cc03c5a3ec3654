// Content negotiation (RFC 9110 §12.5.1).
//
//     Accept      = #( media-range [ weight ] )
//     media-range = ( "*/*" / ( type "/" "*" ) / ( type "/" subtype ) ) parameters
//
// The most specific range that fits a type gives its quality. The type with the highest quality wins; among equals, the
// one that the server names first. The field is walked over once, and the result is one word, which a request keeps:
// nothing is allocated, whatever a client sends.

/// The quality that a client gives to each of the types that Roost offers.
struct Accept: Sendable, BitwiseCopyable {
    /// The types that are offered.
    enum Offer: Int, CaseIterable, Sendable {
        case json, problem, html, text
    }

    /// Ten bits for each offer's quality in thousandths, and a top bit that tells a word from one that is not set.
    let word: UInt64

    init(word: UInt64) { self.word = word }

    /// The values of a request's `Accept` fields. Without a field, or without a well-formed one, every type is
    /// accepted.
    init(_ fields: ReceivedFields) {
        word = LastAccept.word(of: fields) { bytes in
            var ranges = AcceptedRanges()
            if let bytes { ranges.note(bytes) } else { fields.forEach(.accept) { ranges.note(fields.bytes.slice($0)) } }
            return ranges.word
        }
    }

    /// The value of an `Accept` field.
    init(_ value: String?) {
        var ranges = AcceptedRanges()
        if var value { value.withUTF8 { ranges.note($0) } }
        word = ranges.word
    }

    /// The offered type that the client likes best; nil when it accepts none.
    func best(of offers: [Offer]) -> Offer? {
        var best: Offer?
        var highest = 0
        for offer in offers where quality(of: offer) > highest {
            best = offer
            highest = quality(of: offer)
        }
        return best
    }

    /// Returns the quality of a type, in thousandths; 0 means that the client does not accept it.
    func quality(of offer: Offer) -> Int { Int(word >> UInt64(offer.rawValue * 10) & 1023) }
}

/// The qualities that a field's ranges, seen one by one, give to the offers.
private struct AcceptedRanges {
    private var count = 0
    private var isEmpty = true
    /// A further type that is asked about.
    private let type: MediaType?
    private var quality = 0
    private var precision = -1
    private var qualities = SIMD4<Int>(repeating: 0)
    /// The precision of the range that gave each quality: 0 any type, 1 any subtype, 2 this type; -1 before the first.
    private var precisions = SIMD4<Int>(repeating: -1)

    init(type: MediaType? = nil) { self.type = type }

    /// The quality of the further type, in thousandths.
    var typeQuality: Int { isEmpty ? 1000 : quality }

    /// The word of an ``Accept`` with these qualities. Without any range, every type is accepted.
    var word: UInt64 {
        Accept.Offer.allCases.reduce(1 << 63) { word, offer in
            let quality = isEmpty ? 1000 : qualities[offer.rawValue]
            return word | UInt64(quality) << UInt64(offer.rawValue * 10)
        }
    }

    /// Takes note of the ranges of one field line.
    mutating func note(_ value: UnsafeBufferPointer<UInt8>) {
        var elements = WeightedElements(value)
        while let range = elements.next(&count) {
            guard let names = MediaType.Names(range.name) else { continue }
            isEmpty = false
            // A range with parameters asks for more than the plain types that are offered.
            if range.isPlain { note(names, range.weight) }
        }
    }

    private mutating func note(_ names: MediaType.Names, _ quality: Int) {
        for offer in Accept.Offer.allCases {
            guard let precision = Self.precision(names, offer), precision > precisions[offer.rawValue] else { continue }
            precisions[offer.rawValue] = precision
            qualities[offer.rawValue] = quality
        }
        guard let type, let precision = Self.precision(names, type), precision > self.precision else { return }
        (self.precision, self.quality) = (precision, quality)
    }

    private static func precision(_ range: MediaType.Names, _ media: MediaType) -> Int? {
        if range.type.isEqual(to: "*") { return range.subtype.isEqual(to: "*") ? 0 : nil }
        guard range.type.lowercasedToken() == media.type else { return nil }
        if range.subtype.isEqual(to: "*") { return 1 }
        return range.subtype.lowercasedToken() == media.subtype ? 2 : nil
    }

    /// Returns the precision of a range for a type: 0 any type, 1 any subtype, 2 this type; nil when it does not fit.
    private static func precision(_ range: MediaType.Names, _ offer: Accept.Offer) -> Int? {
        if range.type.isEqual(to: "*") { return range.subtype.isEqual(to: "*") ? 0 : nil }
        let (type, subtype) = offer.names
        guard range.type.isEqualIgnoringCase(to: type) else { return nil }
        if range.subtype.isEqual(to: "*") { return 1 }
        return range.subtype.isEqualIgnoringCase(to: subtype) ? 2 : nil
    }
}

extension Accept.Offer {
    fileprivate var names: (type: StaticString, subtype: StaticString) {
        switch self {
        case .json: ("application", "json")
        case .problem: ("application", "problem+json")
        case .html: ("text", "html")
        case .text: ("text", "plain")
        }
    }
}

extension Request {
    /// Returns the quality that the client gives to a media type, in thousandths; 0 means that it is not accepted.
    func acceptedQuality(of type: MediaType) -> Int {
        if type.isSame(as: .json) { return accept.quality(of: .json) }
        if type.isSame(as: .html) { return accept.quality(of: .html) }
        if type.isSame(as: .text) { return accept.quality(of: .text) }
        var ranges = AcceptedRanges(type: type)
        receivedFields.forEach(.accept) { ranges.note(bytes.slice($0)) }
        return ranges.typeQuality
    }

    /// The representations that the client accepts; the field is read once for each request.
    var accept: Accept {
        if let known = acceptWord { return Accept(word: known) }
        let accept = Accept(receivedFields)
        keep(acceptWord: accept.word)
        return accept
    }
}
