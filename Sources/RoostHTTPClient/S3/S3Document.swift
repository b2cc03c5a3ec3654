public import HTTPTypes
public import Roost

/// An answer of S3 in XML, which is searched for the elements that are needed. It is read by bytes; what is not as it
/// should be is not found.
struct S3Document {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// The contents of all elements of a name, which have no attributes and are not within each other.
    func elements(_ name: String) -> [S3Document] {
        var found: [S3Document] = []
        var rest = bytes
        while let start = Self.find("<\(name)>", in: rest),
            let end = Self.find("</\(name)>", in: rest[start.upperBound...])
        {
            found.append(S3Document(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return found
    }

    /// The text of the first element of a name.
    func text(_ name: String) -> String? { elements(name).first?.text }

    private static func find(_ text: String, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let wanted = Array(text.utf8)
        var rest = bytes
        while let start = rest.firstIndex(of: wanted[0]) {
            rest = rest[start...]
            if rest.starts(with: wanted) { return start..<(start + wanted.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The content as text.
    private var text: String { CharacterReferences.replaced(in: bytes) }

    /// A text as the content of an element.
    static func escaped(_ text: String) -> String {
        let escapes: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        return text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}

/// The error of a request that S3 has refused.
public struct S3Error: Error, Sendable, CustomStringConvertible, ResponseError {
    /// The status of the answer; 200 for an upload that failed after its answer had begun.
    public let status: HTTPResponse.Status
    /// The name of the error, such as `AccessDenied` or `NoSuchBucket`; `Unknown` for an answer that names none.
    public let code: String
    let place: String
    let message: String

    init(_ response: HTTPClient.Response, _ place: String) {
        let document = S3Document(((try? response.body.bytes) ?? [])[...])
        status = response.status
        code = Self.line(document.text("Code") ?? "Unknown", 64)
        message = Self.line(document.text("Message") ?? "", 200)
        self.place = place
    }

    private static func line(_ text: String, _ limit: Int) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit).map { $0.value < 0x20 ? " " : $0 }))
    }

    /// The place, with what S3 said about it.
    public var description: String {
        "\(place): S3 responded \(status.code) \(code)\(message.isEmpty ? "" : ": ")\(message)"
    }

    /// Whether it stays until somebody corrects a setting.
    var isMistake: Bool {
        let mayPass = [408, 429].contains(status.code) || code == "RequestTimeTooSkewed"
        return [.clientError, .redirection].contains(status.kind) && !mayPass
    }

    /// 503 when S3 asks for patience, otherwise 502.
    public var httpError: HTTPError? {
        HTTPError(status.code == 503 || status.code == 429 ? .serviceUnavailable : .badGateway)
    }
}
