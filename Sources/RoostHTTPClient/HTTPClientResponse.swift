public import HTTPTypes
public import Roost

extension HTTPClient {
    /// A response of another server.
    public struct Response: Sendable {
        /// The status.
        public var status: HTTPResponse.Status
        /// The header fields. If the body was compressed, `Content-Encoding` and `Content-Length` describe it as sent.
        public var headers: Headers
        /// The content, decompressed; with ``HTTPClient/stream(_:)``, a stream of the bytes as they arrive.
        public var body: Body
        /// The URL that sent it, after redirects.
        public internal(set) var url = ""
        var coder = JSONCoder()

        /// Creates a response, for a test's client that responds with a closure.
        public init(_ status: HTTPResponse.Status, headers: Headers = [:], body: Body = Body()) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// A response with a value as JSON, for a client that answers by a closure.
        public init(_ status: HTTPResponse.Status, json value: some Encodable, using coder: JSONCoder = JSONCoder())
            throws
        {
            self.init(status, headers: [.contentType: "application/json"], body: Body(try coder.encode(value)))
        }

        /// Decodes the body as the client's coder reads JSON. It does not look at the status: call ``successful()``
        /// first, unless errors have the same shape.
        /// - Throws: A ``Failure`` of the kind ``Failure/Kind/malformed`` for a body that is not JSON or has a value of
        ///   another type; an error if the body is a stream.
        public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            let bytes = try body.bytes
            do {
                return try coder.decode(type, from: bytes)
            } catch {
                let sent = status.kind == .successful ? "sent" : "responded \(status.code) with"
                let reason = "\(error)"
                let isSentence = reason.utf8.last == UInt8(ascii: ".")
                throw Failure(
                    .malformed, url,
                    "\(sent) a body that is not the expected JSON: \(isSentence ? reason.dropLast() : reason[...])")
            }
        }

        /// The body as text, with ill-formed UTF-8 replaced; empty for a stream.
        public var text: String { (try? body.text) ?? "" }

        /// Returns the response itself if its status is 2xx.
        /// - Throws: A ``Failure`` of the kind ``Failure/Kind/status(_:)`` otherwise, with the beginning of the body.
        @discardableResult
        public func successful() throws -> Response {
            guard status.kind != .successful else { return self }
            let start = ((try? body.bytes) ?? []).prefix(800)
            let excerpt = String(decoding: start, as: UTF8.self).unicodeScalars.prefix(200)
                .map { $0.properties.isWhitespace ? " " : String($0) }.joined()
            let said = excerpt.isEmpty ? "" : ": \(LogText.escaped(excerpt))"
            throw Failure(.status(status), url, "responded \(status.code) \(status.reasonPhrase)\(said)")
        }
    }
}
