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
    var acceptedCodings: [ContentCoding] {
        // Nil for one that the field does not mention; the first element that names one counts.
        var (brotli, gzip, other): (Bool?, Bool?, Bool?) = (nil, nil, nil)
        receivedFields.forEachWeighted(.acceptEncoding) { element in
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
        var codings: [ContentCoding] = []
        if brotli ?? other ?? false { codings.append(.brotli) }
        if gzip ?? other ?? false { codings.append(.gzip) }
        return codings
    }

    /// Whether the client takes a coding; see ``acceptedCodings``.
    func accepts(_ coding: ContentCoding) -> Bool { acceptedCodings.contains(coding) }
}
