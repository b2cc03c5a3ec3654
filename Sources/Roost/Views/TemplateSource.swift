/// The text of one template and where it came from.
struct TemplateSource: Sendable {
    /// The name that partials and `render` use, for example `users/index`.
    let name: String
    /// The path that errors show, for example `Templates/users/index.mustache`.
    let file: String
    let bytes: [UInt8]

    /// Where a byte stands, as a person counts: lines and columns from 1, columns in Unicode scalars.
    func location(of offset: Int) -> TemplateLocation {
        let offset = min(max(offset, 0), bytes.count)
        let lineStart = bytes[..<offset].lastIndex(of: .newline).map { $0 + 1 } ?? 0
        let lineEnd = bytes[offset...].firstIndex(of: .newline) ?? bytes.count
        let line = bytes[..<lineStart].count { $0 == .newline } + 1
        let column = bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1
        var text = String(decoding: bytes[lineStart..<lineEnd], as: UTF8.self)
        if text.utf8.last == .carriageReturn { text.unicodeScalars.removeLast() }
        return TemplateLocation(template: name, file: file, line: line, column: column, sourceLine: text)
    }
}

/// A place in a template file.
public struct TemplateLocation: Sendable, Equatable {
    /// The template's name, for example `users/index`.
    public let template: String
    /// The file's path as it was loaded, for example `Templates/users/index.mustache`.
    public let file: String
    /// The line, counted from 1.
    public let line: Int
    /// The column in Unicode scalars, counted from 1.
    public let column: Int
    /// The whole line, without its line ending.
    public let sourceLine: String
}

extension UInt8 {
    static var newline: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }

    /// Whether this is a space or a tab, the only bytes that may stand beside a standalone tag.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether this is a blank or a part of a line ending.
    var isSpace: Bool { isBlank || self == .newline || self == .carriageReturn }
}
