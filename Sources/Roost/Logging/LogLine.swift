import Glibc
import Logging

/// One line of the log while it is written, as text or as a JSON object.
///
/// Text from elsewhere cannot end the line, forge another, or control a terminal: see `LogText`.
struct LogLine: ~Copyable {
    let format: LogFormat
    private let isColored: Bool
    private let bytes: ByteBuffer
    private var hasFields = false

    /// - Parameters:
    ///   - isColored: Whether a terminal shows it, which can show the level in color.
    ///   - bytes: The buffer that the line is appended to.
    init(_ format: LogFormat, isColored: Bool = false, to bytes: ByteBuffer) {
        self.format = format
        self.isColored = isColored
        self.bytes = bytes
    }

    /// Begins the line: when, how serious, and who.
    /// - Parameter time: Counted from 1970; written in UTC, to the millisecond.
    mutating func begin(_ level: Logger.Level, _ label: String, at time: timespec) {
        if format == .json { bytes.append("{\"time\":\"") }
        let seconds = Double(time.tv_sec) + Double(time.tv_nsec / 1_000_000) / 1000
        _ = DateTime.append(secondsSince1970: seconds, hasMilliseconds: true, to: bytes)
        switch format {
        case .text:
            bytes.append(UInt8(ascii: " "))
            if isColored { bytes.append(Self.color(of: level)) }
            bytes.append(level.rawValue)
            if isColored { bytes.append("\u{1B}[0m") }
            bytes.append(UInt8(ascii: " "))
            append(text: label)
            bytes.append(": ")
        case .json:
            bytes.append("\"")
            hasFields = true
            field("level", plain: level.rawValue)
            field("label", label)
        }
    }

    /// Ends the line.
    mutating func end() {
        if format == .json { bytes.append("}") }
        bytes.append("\n")
    }

    private static func color(of level: Logger.Level) -> StaticString {
        switch level {
        case .trace, .debug: "\u{1B}[2m"
        case .info, .notice: "\u{1B}[32m"
        case .warning: "\u{1B}[33m"
        case .error, .critical: "\u{1B}[31m"
        }
    }

    /// Adds a number. Only text shows the unit; in JSON, the name says it.
    @inline(__always)
    mutating func field(_ name: StaticString, _ number: Int, unit: StaticString = "") {
        begin(name)
        bytes.append(decimal: number)
        if format == .text { bytes.append(unit) }
    }

    /// Adds milliseconds with two decimals.
    mutating func field(_ name: StaticString, _ duration: Duration) {
        begin(name)
        let hundredths = max(0, Int(duration.wholeNanoseconds / 10_000))
        bytes.append(decimal: hundredths / 100)
        bytes.append(UInt8(ascii: "."))
        bytes.append(UInt8(ascii: "0") + UInt8(hundredths / 10 % 10))
        bytes.append(UInt8(ascii: "0") + UInt8(hundredths % 10))
        if format == .text { bytes.append(" ms") }
    }

    /// Adds text.
    @inline(__always)
    mutating func field(_ name: StaticString, _ text: String) {
        begin(name)
        append(text: text)
    }

    /// Adds text that means itself in every format (`LogText.isPlain`), such as a token of a protocol.
    @inline(__always)
    mutating func field(_ name: StaticString, plain text: String) {
        field(name, plain: { $0.append(text) })
    }

    /// Adds such text as a closure writes it.
    @inline(__always)
    mutating func field(_ name: StaticString, plain write: (ByteBuffer) -> Void) {
        begin(name)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
        write(bytes)
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Adds text in UTF-8; what is not UTF-8 becomes U+FFFD.
    /// - Parameter isCut: Whether it is only the beginning, which `LogText.cutMark` tells.
    mutating func field(_ name: StaticString, _ text: UnsafeBufferPointer<UInt8>, isCut: Bool = false) {
        begin(name)
        append(text, isCut: isCut)
    }

    /// Adds what a logger tells beside the message.
    mutating func metadata(_ values: [(name: String, text: String)]) {
        guard !values.isEmpty else { return }
        if format == .json { bytes.append(",\"metadata\":{") }
        for (index, (name, text)) in values.enumerated() {
            if format == .text || index > 0 { bytes.append(format == .json ? "," : " ") }
            append(text: name)
            bytes.append(format == .json ? ":" : "=")
            append(text: text)
        }
        if format == .json { bytes.append("}") }
    }

    private mutating func append(text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    /// Begins a field. Inlined, as those who call it, because a name whose length is known is copied in a few words.
    @inline(__always)
    private mutating func begin(_ name: StaticString) {
        switch format {
        case .text: if hasFields { bytes.append(UInt8(ascii: " ")) }
        case .json:
            if hasFields { bytes.append(UInt8(ascii: ",")) }
            bytes.append(UInt8(ascii: "\""))
            bytes.append(short: name.utf8Start, count: name.utf8CodeUnitCount)
            bytes.append("\":" as StaticString)
        }
        hasFields = true
    }

    private mutating func append(_ text: UnsafeBufferPointer<UInt8>, isCut: Bool = false) {
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
        if LogText.isPlain(text) {
            bytes.append(text)
        } else {
            let text = String(decoding: text, as: UTF8.self)
            bytes.append(format == .json ? Self.escapedForJSON(text) : LogText.escaped(text))
        }
        if isCut { bytes.append(LogText.cutMark) }
        if format == .json { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Escapes a text for a JSON string, with what misleads a reader, too: people read the lines of JSON as well.
    private static func escapedForJSON(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
            guard LogText.misleads(scalar) else { return String(scalar) }
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }.joined()
    }
}
