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
        let fields = receivedFields
        fields.forEach(.acceptEncoding) { acceptance.read(fields.bytes.slice($0)) }
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

    /// Reads a line of the field.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>) {
        var parts = DelimitedParts(line)
        while let part = parts.nextPresent(before: UInt8(ascii: ",")) {
            guard let element = CodingElement(part) else { continue }
            if element.name.isEqualIgnoringCase(to: ContentCoding.brotli.name) {
                brotli = brotli ?? element.isAccepted
            } else if element.name.isEqualIgnoringCase(to: ContentCoding.gzip.name) {
                gzip = gzip ?? element.isAccepted
            } else if element.name.isEqual(to: "*") {
                other = other ?? element.isAccepted
            }
        }
    }
}

/// One coding of the field, with its weight.
private struct CodingElement {
    let name: UnsafeBufferPointer<UInt8>
    let isAccepted: Bool

    init?(_ element: UnsafeBufferPointer<UInt8>) {
        var parts = DelimitedParts(element)
        guard let name = parts.next(before: UInt8(ascii: ";")) else { return nil }
        self.name = name
        guard let weight = parts.nextPresent(before: UInt8(ascii: ";")) else {
            isAccepted = true
            return
        }
        guard let parameter = MediaType.Parameter(weight), parameter.isWeight,
            let first = parameter.value.first
        else { return nil }
        isAccepted = first == 0x31 || parameter.value.contains { $0 > 0x30 && $0 <= 0x39 }
    }
}
