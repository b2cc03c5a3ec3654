import CLibevent
import Glibc
import Logging
import Testing

@testable import Roost

@Suite("A line of the log", .timeLimit(.minutes(5)))
struct LogLineTests {
    private static let time = "2000-02-29T00:00:00.007Z"

    private static func line(
        _ format: LogFormat, isColored: Bool = false,
        at time: timespec = timespec(tv_sec: 951_782_400, tv_nsec: 7_999_999), _ text: String
    ) -> String {
        let bytes = ByteBuffer()
        var line = LogLine(format, isColored: isColored, to: bytes)
        line.begin(.warning, "app", at: time)
        line.field("message", text)
        line.field("bytes", -1_093, unit: " B")
        line.field("duration_ms", .microseconds(1_239))
        line.metadata([("who", "a\"b"), ("why", "c d")])
        line.end()
        return String(decoding: bytes.written, as: UTF8.self)
    }

    @Test func `text has no names, but units`() {
        #expect(
            Self.line(.text, "Here I am") == "\(Self.time) warning app: Here I am -1093 B 1.23 ms who=a\"b why=c d\n")
    }

    @Test func `JSON has names, and no units`() {
        #expect(
            Self.line(.json, "Here I am")
                == #"{"time":"\#(Self.time)","level":"warning","label":"app","message":"Here I am","bytes":-1093,"#
                + #""duration_ms":1.23,"metadata":{"who":"a\"b","why":"c d"}}"# + "\n")
    }

    @Test func `on a terminal, the level has a color`() {
        #expect(Self.line(.text, isColored: true, "x").hasPrefix("\(Self.time) \u{1B}[33mwarning\u{1B}[0m app: x "))
        #expect(!Self.line(.json, isColored: true, "x").contains("\u{1B}"))
    }

    @Test(arguments: [
        ("plain ä 😀", "plain ä 😀", "plain ä 😀"),
        ("a\r\nb", #"a\u{d}\u{a}b"#, #"a\u000d\u000ab"#),
        ("\u{1B}[31m\u{202E}", #"\u{1b}[31m\u{202e}"#, #"\u001b[31m\u202e"#),
        (#"say "\n""#, #"say "\n""#, #"say \"\\n\""#),
    ])
    func `text from elsewhere cannot forge a line`(text: String, asText: String, asJSON: String) throws {
        #expect(Self.line(.text, text).hasPrefix("\(Self.time) warning app: \(asText) -1093"))
        let json = Self.line(.json, text)
        #expect(json.contains(#""message":"\#(asJSON)","#))
        struct Line: Decodable { let message: String }
        #expect(try JSONCoder().decode(Line.self, from: Array(json.utf8)).message == text)
    }

    @Test func `what is not UTF-8 becomes U+FFFD`() {
        let bytes = ByteBuffer()
        var line = LogLine(.json, to: bytes)
        [0x61, 0xFF, 0x62].withUnsafeBufferPointer { line.field("path", $0) }
        #expect(String(decoding: bytes.written, as: UTF8.self) == "\"path\":\"a\u{FFFD}b\"")
    }

    @Test(arguments: [
        (0, 0, "1970-01-01T00:00:00.000Z"), (0, 999_999_999, "1970-01-01T00:00:00.999Z"),
        (4_102_444_799, 0, "2099-12-31T23:59:59.000Z"),
    ])
    func `the time is cut to the millisecond`(second: Int, nanoseconds: Int, text: String) {
        #expect(Self.line(.text, at: timespec(tv_sec: second, tv_nsec: nanoseconds), "x").hasPrefix(text + " warning"))
    }

    @Test(arguments: [
        ("", "production", LogFormat.json), ("", "", .text), ("text", "production", .text), ("json", "", .json),
    ])
    func `the environment chooses the format`(format: String, environment: String, expected: LogFormat) throws {
        #expect(try LogFormat(["LOG_FORMAT": format, "ROOST_ENV": environment]) == expected)
    }

    @Test(arguments: [
        ("", "", LogFormat.text), ("", "production", .json), ("auto", "", .json), ("auto", "development", .text),
    ])
    func `the format in force is noted as the default`(tls: String, environment: String, usual: LogFormat) {
        var reader = SettingsReader(["TLS": tls, "ROOST_ENV": environment], file: [])
        LogFormat.read(&reader)
        let entry = SettingsReader.Entry(name: "LOG_FORMAT", value: usual.rawValue, origin: .default)
        #expect(reader.entries.contains(entry), "\(reader.entries)")
    }

    @Test func `a format or level that does not exist stops the start`() {
        #expect(throws: StartError.configuration("LOG_FORMAT is \"xml\"; set it to text or json.")) {
            try LogFormat(["LOG_FORMAT": "xml"])
        }
        #expect(
            throws: StartError.configuration(
                "LOG_LEVEL is \"loud\"; set it to one of trace, debug, info, notice, warning, error, critical.")
        ) { try Logger.Level(["LOG_LEVEL": "loud"]) }
    }
}
