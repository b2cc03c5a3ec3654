import HTTPTypes

/// The header fields of a part that a form uses (RFC 7578 §4.2, §4.4).
///
///     Content-Disposition: form-data; name="picture"; filename="bird.png"
///     Content-Type: image/png
///
/// All other fields are ignored (RFC 7578 §4.8), but a `Content-Transfer-Encoding` that changes the bytes is refused:
/// browsers never send it, and ignoring it would store something else than what was meant.
struct MultipartHead: Equatable {
    /// The name of the form's field.
    var name = ""
    /// The name of the file on the client's machine as `filename` gives it, without folders; nil without that.
    var fileName: String?
    /// The same as `filename*` gives it (RFC 8187), which RFC 7578 §4.2 forbids: some older clients send nothing else.
    var extendedFileName: String?
    /// The content's media type as the client states it; nil when it states none.
    var contentType: MediaType?

    /// Whether the field that a part must have was there.
    private(set) var isComplete = false

    /// The name of the file, however it was written; nil for a part that is not a file.
    var anyFileName: String? { fileName ?? extendedFileName }

    /// Takes note of one field line, without its CRLF.
    mutating func note(_ line: UnsafeBufferPointer<UInt8>) throws(HTTPError) {
        guard let colon = line.firstOffset(of: UInt8(ascii: ":")) else { throw .malformedMultipart }
        let name = UnsafeBufferPointer(rebasing: line[..<colon])
        let value = UnsafeBufferPointer(rebasing: line[(colon + 1)...]).trimmingBlanks()
        guard name.isToken, value.allSatisfy(ByteSet.fieldContent.contains) else { throw .malformedMultipart }
        if name.isEqualIgnoringCase(to: "content-disposition") {
            guard !isComplete else { throw .malformedMultipart }
            isComplete = true
            try note(disposition: value)
        } else if name.isEqualIgnoringCase(to: "content-type") {
            contentType = MediaType(bytes: value)
        } else if name.isEqualIgnoringCase(to: "content-transfer-encoding") {
            let plain: [StaticString] = ["7bit", "8bit", "binary"]
            guard plain.contains(where: { value.isEqualIgnoringCase(to: $0) }) else {
                throw HTTPError(.badRequest, "A part of the form has a Content-Transfer-Encoding.")
            }
        }
    }

    private mutating func note(disposition value: UnsafeBufferPointer<UInt8>) throws(HTTPError) {
        var parts = DelimitedParts(value)
        guard let type = parts.next(before: UInt8(ascii: ";")), type.isEqualIgnoringCase(to: "form-data") else {
            throw .malformedMultipart
        }
        var name: String?
        while let part = parts.nextPresent(before: UInt8(ascii: ";")) {
            guard let parameter = MediaType.Parameter(part) else { throw .malformedMultipart }
            if parameter.name.isEqualIgnoringCase(to: "name") {
                guard name == nil else { throw .malformedMultipart }
                name = try Self.text(parameter.value)
            } else if parameter.name.isEqualIgnoringCase(to: "filename") {
                guard fileName == nil else { throw .malformedMultipart }
                fileName = Self.withoutFolders(try Self.text(parameter.value))
            } else if parameter.name.isEqualIgnoringCase(to: "filename*") {
                extendedFileName = Self.withoutFolders(Self.extendedText(parameter.value))
            }
        }
        guard let name else { throw HTTPError(.badRequest, "A part of the form has no name.") }
        self.name = name
    }

    /// The text of a parameter. Browsers write quotes and line ends in it as escapes of a URL (WHATWG HTML §4.10.21.8),
    /// other programs write a quote as `\"`. A backslash before anything else is a backslash.
    private static func text(_ value: UnsafeBufferPointer<UInt8>) throws(HTTPError) -> String {
        let quote = UInt8(ascii: "\"")
        var bytes = unquoted(value)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\\"), bytes.first == quote { continue }
            let escape = byte == UInt8(ascii: "%") ? String(decoding: bytes.prefix(2), as: UTF8.self) : ""
            guard let escaped = escapes[escape] else {
                text.append(byte)
                continue
            }
            text.append(escaped)
            bytes = bytes.dropFirst(2)
        }
        guard let text = String(validating: text, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    private static func unquoted(_ value: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        let quote = UInt8(ascii: "\"")
        guard value.count >= 2, value.first == quote, value.last == quote else { return value[...] }
        return value[1..<(value.count - 1)]
    }

    /// The text of a parameter with a charset and a language: `UTF-8'en'%C3%A4.png` (RFC 8187 §3.2). What is not UTF-8
    /// in it becomes U+FFFD, and a malformed one is an empty text: the part is a file all the same.
    private static func extendedText(_ value: UnsafeBufferPointer<UInt8>) -> String {
        let parts = unquoted(value)
            .split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        return parts.count == 3 ? PercentEncoding.decodedText(parts[2]) : ""
    }

    private static let escapes: [String: UInt8] = ["22": 0x22, "0D": 0x0D, "0A": 0x0A, "0d": 0x0D, "0a": 0x0A]

    /// The last name of a path of any system, without control characters.
    private static func withoutFolders(_ path: String) -> String {
        let last = path.utf8.split(omittingEmptySubsequences: false) { $0 == 0x2F || $0 == 0x5C }.last
        let name = String(decoding: (last ?? path.utf8[...]).filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
        return name == "." || name == ".." ? "" : name
    }
}

extension HTTPError {
    /// The error for a body that is not `multipart/form-data`.
    static var malformedMultipart: HTTPError { HTTPError(.badRequest, "The multipart body is malformed.") }

    /// The error for a part of more than so many bytes.
    static func partTooLarge(_ name: String, _ limit: Int) -> HTTPError {
        HTTPError(.contentTooLarge, field: name, Sentence.largest(limit))
    }
}
