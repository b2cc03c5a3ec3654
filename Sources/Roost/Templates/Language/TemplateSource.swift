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
        let lineStart = bytes[..<offset].lastIndex(of: .newline).map { $0 + 1 } ?? 0
        let lineEnd = bytes[offset...].firstIndex(of: .newline) ?? bytes.count
        let line = bytes[..<lineStart].count { $0 == .newline } + 1
        let column = bytes[lineStart..<offset].count { $0 & 0xC0 != 0x80 } + 1
        return TemplateLocation(
            template: name, file: file, line: line, column: column, sourceLine: text(lineStart..<lineEnd),
            linesBefore: linesBefore(lineStart), linesAfter: linesAfter(lineEnd))
    }

    /// The number of lines that are kept before the place, and after it, so that an error can show them.
    private static let nearby = 2

    private func linesBefore(_ lineStart: Int) -> [String] {
        var lines: [String] = []
        var end = lineStart
        while end > 0, lines.count < Self.nearby {
            let start = bytes[..<(end - 1)].lastIndex(of: .newline).map { $0 + 1 } ?? 0
            lines.insert(text(start..<(end - 1)), at: 0)
            end = start
        }
        return lines
    }

    private func linesAfter(_ lineEnd: Int) -> [String] {
        var lines: [String] = []
        var start = lineEnd + 1
        while start < bytes.count, lines.count < Self.nearby {
            let end = bytes[start...].firstIndex(of: .newline) ?? bytes.count
            lines.append(text(start..<end))
            start = end + 1
        }
        return lines
    }

    /// A line without the carriage return of a CRLF.
    private func text(_ range: Range<Int>) -> String {
        let isLong = bytes[range].last == .carriageReturn
        return String(decoding: bytes[range].dropLast(isLong ? 1 : 0), as: UTF8.self)
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
