/// The text of one template and where it came from.
struct TemplateSource: Sendable, Equatable {
    /// The name that partials and `render` use, for example `users/index`.
    let name: String
    /// The path that errors show, for example `Templates/users/index.mustache`.
    let file: String
    let bytes: [UInt8]

    /// The line and column of a byte, both counted from 1, columns in Unicode scalars.
    func location(of offset: Int) -> TemplateLocation {
        let offset = min(max(offset, 0), bytes.count)
        let lines = bytes.split(separator: .newline, omittingEmptySubsequences: false)
        let index = bytes[..<offset].count { $0 == .newline }
        let column = bytes[lines[index].startIndex..<offset].count { $0 & 0xC0 != 0x80 } + 1
        // Nothing is a line after the last line ending.
        let after = (bytes.last == .newline ? lines.dropLast() : lines[...]).dropFirst(index + 1)
        return TemplateLocation(
            template: name, file: file, line: index + 1, column: column, sourceLine: Self.text(lines[index]),
            linesBefore: lines[..<index].suffix(Self.nearby).map(Self.text),
            linesAfter: after.prefix(Self.nearby).map(Self.text))
    }

    /// The number of lines that are kept before the place, and after it, so that an error can show them.
    private static let nearby = 2

    /// A line without the carriage return of a CRLF.
    private static func text(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == .carriageReturn ? line.dropLast() : line, as: UTF8.self)
    }
}

/// A place in a template file.
package struct TemplateLocation: Sendable, Equatable {
    /// The template's name, for example `users/index`.
    package let template: String
    /// The file's path as it was loaded, for example `Templates/users/index.mustache`.
    package let file: String
    /// The line, counted from 1.
    package let line: Int
    /// The column in Unicode scalars, counted from 1.
    package let column: Int
    /// The whole line, without its line ending.
    package let sourceLine: String
    /// Up to two lines above it.
    let linesBefore: [String]
    /// Up to two lines below it.
    let linesAfter: [String]
}

extension UInt8 {
    static var newline: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }

    /// Whether this is a space or a tab, the only bytes that may stand beside a standalone tag.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether this is a blank or a part of a line ending.
    var isSpace: Bool { isBlank || self == .newline || self == .carriageReturn }
}
