internal import CCurl
import HTTPTypes
import Roost

/// A response that sends the client elsewhere (RFC 9110 §15.4).
struct Redirect {
    /// The request to send next.
    let next: HTTPClient.Request

    /// The redirect that a response is; nil when it is none.
    /// - Throws: ``HTTPClient/Failure`` for a body that cannot be sent again, and for a target that is no URL.
    init?(_ response: HTTPClient.Response, to request: HTTPClient.Request) throws {
        guard [301, 302, 303, 307, 308].contains(response.status.code), let target = response.headers[.location]
        else { return nil }
        var next = request
        guard let url = Self.resolve(target, from: request.url), let scheme = Self.origin(url)?.first?.text,
            ["http", "https"].contains(scheme)
        else { throw HTTPClient.Failure(.malformed, request.url, "redirects to something that is no URL of HTTP") }
        next.url = url
        // As browsers do (WHATWG Fetch §4.4): 303 means "look there", and so do 301 and 302 after a `POST`.
        let looks = response.status.code == 303 && request.method != .head
        if looks || response.status.code < 303 && request.method == .post {
            next.method = .get
            next.body = Body()
            for name in [HTTPField.Name.contentType, .contentEncoding, .contentLanguage, .contentLength] {
                next.headers[name] = nil
            }
        }
        guard !next.body.isStream else {
            throw HTTPClient.Failure(
                .invalidRequest, request.url, "redirects, and a streamed body cannot be sent again")
        }
        if Self.origin(url) != Self.origin(request.url) {
            let own = ["authorization", "cookie", "proxy-authorization", "host", "x-amz-security-token"]
            for field in request.headers.list where own.contains(field.name.canonicalName) {
                next.headers[field.name] = nil
            }
        }
        self.next = next
    }

    /// The URL that a reference means, seen from another URL (RFC 3986 §5), as libcurl reads both. As in browsers, a
    /// space in it stands for `%20`. Within the origin, a URL without a user has the other URL's user and password.
    private static func resolve(_ reference: String, from base: String) -> String? {
        withURL(base) { url in
            let home = origin(of: url)
            let (user, password) = (part(url, CURLUPART_USER), part(url, CURLUPART_PASSWORD))
            let flags = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
            // libcurl 7.88 takes the path and the query for those of a fragment, too.
            let isFragment = reference.utf8.first == UInt8(ascii: "#")
            let text = isFragment ? String(decoding: reference.utf8.dropFirst(), as: UTF8.self) : reference
            let code = curl_url_set(url, isFragment ? CURLUPART_FRAGMENT : CURLUPART_URL, text, flags)
            guard code == CURLUE_OK else { return nil }
            if part(url, CURLUPART_USER) == nil, origin(of: url) == home {
                curl_url_set(url, CURLUPART_USER, user, 0)
                curl_url_set(url, CURLUPART_PASSWORD, password, 0)
            }
            // libcurl encodes neither a user nor a fragment.
            let bytes = part(url, CURLUPART_URL)?.utf8.flatMap { $0 == UInt8(ascii: " ") ? Array("%20".utf8) : [$0] }
            return bytes.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Scheme, host and port (RFC 6454 §4), with ASCII letters in lower case; nil for what is no URL, which equals no
    /// origin.
    private static func origin(_ url: String) -> [ExactText]? { withURL(url) { origin(of: $0) } }

    private static func origin(of url: OpaquePointer) -> [ExactText] {
        let parts = [CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT].map {
            part(url, $0, UInt32(CURLU_DEFAULT_PORT)) ?? ""
        }
        return parts.map { ExactText(String(decoding: $0.utf8.map(\.lowercased), as: UTF8.self)) }
    }

    private static func withURL<Result>(_ text: String, _ body: (OpaquePointer) -> Result?) -> Result? {
        guard !text.utf8.contains(0), let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        return body(url)
    }

    private static func part(_ url: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
