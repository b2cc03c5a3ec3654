/// One part of a `multipart/form-data` body (RFC 7578), for ``TestRequest``:
///
///     try await client.post("/notes", multipart: [.field("title", "Nest"), .file("picture", "nest.png", bytes)])
public struct TestPart: Sendable {
    private let name: String
    private let fileName: String?
    private let contentType: String?
    private let bytes: [UInt8]

    /// A field with a text.
    public static func field(_ name: String, _ value: String) -> TestPart {
        TestPart(name: name, fileName: nil, contentType: nil, bytes: Array(value.utf8))
    }

    /// A file with its name and type.
    public static func file(
        _ name: String, _ fileName: String, type: String = "application/octet-stream", _ bytes: [UInt8]
    ) -> TestPart {
        TestPart(name: name, fileName: fileName, contentType: type, bytes: bytes)
    }

    /// The body of these parts. Names are written as browsers write them (WHATWG HTML, multipart/form-data).
    static func body(_ parts: [TestPart], boundary: String) -> [UInt8] {
        var body: [UInt8] = []
        for part in parts {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(part.name))\"".utf8
            if let fileName = part.fileName { body += "; filename=\"\(escaped(fileName))\"".utf8 }
            if let type = part.contentType { body += "\r\nContent-Type: \(type)".utf8 }
            body += "\r\n\r\n".utf8 + part.bytes + "\r\n".utf8
        }
        return body + "--\(boundary)--\r\n".utf8
    }

    private static func escaped(_ name: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
        return name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
