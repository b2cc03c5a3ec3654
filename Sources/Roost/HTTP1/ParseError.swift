import HTTPTypes

/// A way for a request to be malformed or too large: the peer's fault. Each says which response it gets. After any of
/// them the connection is closed, because there is no telling where the next request would begin (RFC 9112 §2.2).
enum ParseError: Error, Equatable, CaseIterable {
    case malformedRequestLine
    case malformedTarget
    case malformedEscape
    case methodTooLong
    case requestLineTooLong
    case unsupportedVersion
    case malformedFieldLine
    case lineEndWithoutCarriageReturn
    case fieldsTooLarge
    case missingHost
    case malformedHost
    case malformedContentLength
    case conflictingFraming
    case unsupportedTransferCoding
    case unsupportedExpectation
    case malformedChunk
    case endedEarly

    /// The status of the response.
    var status: HTTPResponse.Status {
        switch self {
        case .methodTooLong: .notImplemented
        case .requestLineTooLong: .uriTooLong
        case .fieldsTooLarge: .requestHeaderFieldsTooLarge
        case .unsupportedVersion: .httpVersionNotSupported
        case .unsupportedTransferCoding: .notImplemented
        case .unsupportedExpectation: .expectationFailed
        default: .badRequest
        }
    }

    /// The reason for the refusal, in one sentence for the author of the client.
    var reason: String {
        switch self {
        case .malformedRequestLine: "The request line is malformed (RFC 9112 §3)."
        case .malformedTarget: "The request target is malformed (RFC 9112 §3.2)."
        case .malformedEscape:
            "The request target has %00, or a % without two hexadecimal digits after it (RFC 3986 §2.1, §7.3)."
        case .methodTooLong: "The method is longer than any known method (RFC 9112 §3)."
        case .requestLineTooLong: "The request line is too long."
        case .unsupportedVersion: "Only HTTP/1.1 and HTTP/1.0 are supported (RFC 9110 §15.6.6)."
        case .malformedFieldLine: "A header field line is malformed (RFC 9112 §5)."
        case .lineEndWithoutCarriageReturn: "A line ends without a carriage return (RFC 9112 §2.2)."
        case .fieldsTooLarge: "The header fields are too large or too many (RFC 6585 §5)."
        case .missingHost: "There must be exactly one Host field (RFC 9112 §3.2)."
        case .malformedHost: "The host is malformed (RFC 9110 §7.2)."
        case .malformedContentLength: "Content-Length must be one decimal number (RFC 9112 §6.3)."
        case .conflictingFraming: "The length of the body is ambiguous (RFC 9112 §6.3)."
        case .unsupportedTransferCoding: "The only transfer coding is chunked (RFC 9112 §6.1)."
        case .unsupportedExpectation: "The only expectation is 100-continue (RFC 9110 §10.1.1)."
        case .malformedChunk: "The chunked body is malformed (RFC 9112 §7.1)."
        case .endedEarly: "The connection ended before the request did (RFC 9112 §8)."
        }
    }
}
