import HTTPTypes

extension ResponseSerializer.Framing {
    /// The framing of a response's body; the same when the body is left out for a HEAD (RFC 9112 §6.1, §6.3; RFC 9110
    /// §8.6).
    init(of response: borrowing Response, isHTTP10: Bool) {
        switch response.status.code {
        case 100..<200, 204, 304: self = .none
        case 205: self = .length(0)
        default: self = response.body.count.map { .length($0) } ?? (isHTTP10 ? .close : .chunked)
        }
    }
}

extension ResponseSerializer {
    /// Whether a body follows the head: not in response to HEAD, and not when the status rules it out, whatever the
    /// application has set (RFC 9110 §6.4.1, §15.3.6).
    static func sendsBody(_ status: HTTPResponse.Status, toHead isHead: Bool) -> Bool {
        switch status.code {
        case 100..<200, 204, 205, 304: false
        default: !isHead
        }
    }
}
