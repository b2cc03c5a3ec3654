public import HTTPTypes
public import Roost

extension HTTPClient {
    /// A request to another server.
    public struct Request: Sendable {
        /// The method.
        public var method: HTTPRequest.Method
        /// The URL, absolute, with the scheme `http` or `https`.
        public var url: String
        /// The header fields. `Host`, `Content-Length` and `Accept-Encoding` are added automatically; fields that say
        /// where a message ends are left out.
        public var headers: Headers
        /// The content: nothing, text, bytes, or a stream of them.
        public var body: Body
        /// The methods of which a request may be done twice, if nobody knows whether it has been done once.
        var repeatable = Request.idempotent
        private static let idempotent: Set<HTTPRequest.Method> = [.get, .head, .options, .put, .delete, .trace]

        /// Creates a request.
        /// - Parameter query: Names and values that are added to the URL's query.
        public init(
            _ method: HTTPRequest.Method, _ url: String, query: Form = [:], headers: Headers = [:], body: Body = Body()
        ) {
            self.method = method
            self.url = query.fields.isEmpty ? url : Self.adding(query, to: url)
            self.headers = headers
            self.body = body
        }

        private static func adding(_ query: Form, to url: String) -> String {
            let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
            return "\(Substring(address))\(address.contains(UInt8(ascii: "?")) ? "&" : "?")\(query.urlEncoded)"
        }

        /// The URL as it is sent: what cannot stand in a query (RFC 3986 §3.4) is encoded, and escapes stay. libcurl
        /// does so for the path.
        var sentURL: String {
            let address = url.utf8.prefix { $0 != UInt8(ascii: "?") }
            let rest = String(Substring(url.utf8.dropFirst(address.count)))
            return rest.isEmpty ? url : "\(Substring(address))\(PercentEncoding.encodedReference(rest))"
        }

        func with(_ value: some Encodable, _ coder: JSONCoder) throws -> Request {
            with(try coder.encode(value), "application/json")
        }

        func with(_ form: Form) -> Request {
            with(Array(form.urlEncoded.utf8), "application/x-www-form-urlencoded")
        }

        func with(_ parts: [FormPart]) -> Request {
            let (bytes, type) = FormPart.body(parts)
            return with(bytes, type)
        }

        private func with(_ bytes: [UInt8], _ type: String) -> Request {
            var request = self
            request.body = Body(bytes)
            if !headers.contains(.contentType) { request.headers[.contentType] = type }
            return request
        }

        /// The URL without user, password, query and fragment, which may hold secrets: for logs and errors. Of a text
        /// that is not a URL, at most the part after the last `@` is shown: a password may contain a slash.
        public var plainURL: String {
            let (colon, slash, at) = (UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "@"))
            let address = Array(url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
            let scheme = address.prefix { $0 != colon }
            let marks = address.dropFirst(scheme.count).prefix { $0 == colon || $0 == slash }
            let rest = address[marks.endIndex...]
            let place = rest.prefix { $0 != slash }.lastIndex(of: at).map { rest[($0 + 1)...] } ?? rest
            let host = place.prefix { $0 != slash }
            let port = host.lastIndex(of: UInt8(ascii: "]")).map { host[($0 + 1)...] } ?? host.drop { $0 != colon }
            if !marks.elementsEqual("://".utf8) || !port.dropFirst().allSatisfy(\.isDigit), url.utf8.contains(at) {
                let isAmbiguous = url.utf8.dropFirst(address.count).contains(at)
                let end = isAmbiguous ? nil : address.lastIndex(of: at).map { address[$0...] }
                return "…" + String(decoding: end ?? [], as: UTF8.self)
            }
            return String(decoding: scheme + marks + place, as: UTF8.self)
        }

        /// The host and port of the URL.
        var host: String {
            let url = Array(plainURL.utf8)
            guard let colon = url.firstIndex(of: UInt8(ascii: ":")) else { return "" }
            let authority = url[colon...].drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return String(decoding: authority.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self).lowercased()
        }
    }
}
