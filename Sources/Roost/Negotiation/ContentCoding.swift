import HTTPTypes

/// A coding that content can be sent in (RFC 9110 §8.4.1).
enum ContentCoding: Sendable {
    case brotli, gzip

    /// Its name in `Content-Encoding` and `Accept-Encoding`.
    var name: StaticString {
        switch self {
        case .brotli: "br"
        case .gzip: "gzip"
        }
    }
}

extension Request {
    /// The codings that the client takes, best first, as its `Accept-Encoding` says (RFC 9110 §12.5.3). Without the
    /// field it might take any, but few such clients decode anything, so there are none.
    ///
    ///     Accept-Encoding = #( codings [ weight ] )
    var acceptedCodings: [ContentCoding] { [.brotli, .gzip].filter(acceptance.includes) }

    /// Whether the client takes a coding; see ``acceptedCodings``.
    func accepts(_ coding: ContentCoding) -> Bool { acceptance.includes(coding) }

    private var acceptance: CodingAcceptance {
        var acceptance = CodingAcceptance()
        receivedFields.forEachWeighted(.acceptEncoding) { acceptance.note($0) }
        return acceptance
    }
}

/// The codings that an `Accept-Encoding` accepts or refuses; nil for one that it does not mention.
private struct CodingAcceptance {
    private var brotli: Bool?
    private var gzip: Bool?
    private var other: Bool?

    func includes(_ coding: ContentCoding) -> Bool {
        switch coding {
        case .brotli: brotli ?? other ?? false
        case .gzip: gzip ?? other ?? false
        }
    }

    /// Takes note of one element of the field; the first one that names a coding counts.
    mutating func note(_ element: WeightedElements.Element) {
        guard element.isPlain else { return }
        let isAccepted = element.weight > 0
        if element.name.isEqualIgnoringCase(to: ContentCoding.brotli.name) {
            brotli = brotli ?? isAccepted
        } else if element.name.isEqualIgnoringCase(to: ContentCoding.gzip.name) {
            gzip = gzip ?? isAccepted
        } else if element.name.isEqual(to: "*") {
            other = other ?? isAccepted
        }
    }
}
