/// A part of a `multipart/form-data` body (RFC 7578) to send: a field, or a file.
///
///     try await http.post(url, multipart: [.field("title", "Nest"), .file("picture", "nest.png", bytes)])
public struct FormPart: Sendable {
    private let name: String
    private let fileName: String?
    private let contentType: String?
    private let bytes: [UInt8]

    /// Returns a field with a text.
    public static func field(_ name: String, _ value: String) -> FormPart {
        FormPart(name: name, fileName: nil, contentType: nil, bytes: Array(value.utf8))
    }

    /// Returns a file with its name and type.
    public static func file(
        _ name: String, _ fileName: String, type: String = "application/octet-stream", _ bytes: [UInt8]
    ) -> FormPart {
        FormPart(name: name, fileName: fileName, contentType: type, bytes: bytes)
    }

    /// The body of some parts, and its media type with the boundary, which is too long to be in a file by chance. Names
    /// are written as browsers write them (WHATWG HTML, multipart/form-data).
    package static func body(_ parts: [FormPart]) -> (bytes: [UInt8], type: String) {
        let boundary = "roost-\(UInt64.random(in: 0 ... .max))-\(UInt64.random(in: 0 ... .max))"
        var body: [UInt8] = []
        for part in parts {
            body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(part.name))\"".utf8
            if let fileName = part.fileName { body += "; filename=\"\(escaped(fileName))\"".utf8 }
            if let type = part.contentType { body += "\r\nContent-Type: \(escaped(type))".utf8 }
            body += "\r\n\r\n".utf8
            body += part.bytes
            body += "\r\n".utf8
        }
        return (body + "--\(boundary)--\r\n".utf8, "multipart/form-data; boundary=\(boundary)")
    }

    private static func escaped(_ name: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["\"": "%22", "\r": "%0D", "\n": "%0A"]
        return name.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
