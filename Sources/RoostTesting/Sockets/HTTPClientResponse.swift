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
        /// How the application writes JSON.
        var coder = JSONCoder()

        /// The body as a value: `let users = try response.json([User].self)`. A ``TestClient`` reads it as its
        /// application writes it.
        /// - Throws: ``JSONSyntaxError`` for what is not JSON, ``JSONDecodingError`` for a value of another type.
        public func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
            try coder.decode(type, from: body)
        }

        /// The body as text, ill-formed UTF-8 repaired.
        public var text: String {
            String(decoding: body, as: UTF8.self)
        }
    }
}
