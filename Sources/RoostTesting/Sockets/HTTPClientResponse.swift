public import HTTPTypes
public import Roost

extension HTTPClient {
    /// A response as it came over the wire.
    public struct Response: Sendable {
        /// The status code with the reason phrase that the server wrote.
        public var status: HTTPResponse.Status
        /// The header fields in the order of the wire.
        public var headers: Headers
        /// The bytes of the body, without the framing.
        public var body: [UInt8] = []
        /// The fields after a chunked body.
        public var trailers: Headers = [:]
        /// The coder that ``json(_:)`` decodes the body with; for a ``TestClient``, the application's.
        var coder = JSONCoder()

        /// Decodes the body: `let users = try response.json([User].self)`. For a ``TestClient`` that follows the
        /// application's convention for JSON.
        /// - Throws: ``UnexpectedResponse``, which shows the response, for a body that is not JSON or has a value of
        ///   another type.
        public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            do { return try coder.decode(type, from: body) } catch { throw UnexpectedResponse(self, error) }
        }

        /// The body as text, with ill-formed UTF-8 replaced.
        public var text: String {
            String(decoding: body, as: UTF8.self)
        }
    }
}

extension HTTPClient.Response: CustomStringConvertible {
    /// The whole response as it is written: status, fields and body. Of a long body the first 10,000 characters, and of
    /// one that is no text the length: `#expect(response.status == .ok, "\(response)")`.
    public var description: String {
        let fields = headers.list.map { "\n\($0.name.rawName): \($0.value)" }.joined()
        let isText = String(validating: body, as: UTF8.self).map { !$0.utf8.contains(0) } ?? false
        let shown = isText ? String(text.unicodeScalars.prefix(10_000)) : "\(body.count) bytes"
        return "\(status)\(fields)\n\n\(shown)"
    }
}
