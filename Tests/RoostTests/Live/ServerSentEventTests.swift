import RoostTesting
import Testing

@testable import Roost

/// WHATWG HTML, 9.2.5 and 9.2.6: what is written, and what a client that follows the standard understands.
@Suite("Server-sent events", .timeLimit(.minutes(5)))
struct ServerSentEventTests {
    private func text(_ event: ServerSentEvent) throws -> String { String(decoding: try event.bytes, as: UTF8.self) }

    @Test func `an event is its fields and an empty line`() throws {
        #expect(try text(ServerSentEvent("hello")) == "data: hello\n\n")
        let event = ServerSentEvent(
            "{}", event: "added", id: "17", retry: .milliseconds(1500), comment: "look")
        #expect(try text(event) == ": look\nevent: added\nid: 17\nretry: 1500\ndata: {}\n\n")
        #expect(try text(ServerSentEvent(id: "17")) == "id: 17\n\n")
        #expect(try text(ServerSentEvent(id: "")) == "id: \n\n")
        #expect(try text(ServerSentEvent("")) == "data: \n\n")
        #expect(try text(ServerSentEvent(comment: "")) == ": \n\n")
    }

    @Test(arguments: [
        ("a\nb", ["a", "b"]), ("a\rb", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\n\rb", ["a", "", "b"]),
        ("a\n\nid: 9", ["a", "", "id: 9"]), ("\n", ["", ""]), ("a\n", ["a", ""]), (" a", [" a"]), (":x", [":x"]),
        ("a\u{2028}b\u{85}c\u{B}d", ["a\u{2028}b\u{85}c\u{B}d"]), ("\0", ["\0"]), ("\u{FEFF}ü", ["\u{FEFF}ü"]),
    ])
    func `data is split at its line breaks, and reaches the client whole`(data: String, lines: [String]) throws {
        let text = try text(ServerSentEvent(data))
        #expect(Array(text.utf8) == Array((lines.map { "data: \($0)\n" }.joined() + "\n").utf8))
        #expect(EventStreamReader.events(in: Array(text.utf8)).map(\.data) == [lines.joined(separator: "\n")])
    }

    @Test func `a comment is split too, and cannot end the event`() throws {
        let text = try text(ServerSentEvent("x", comment: "a\r\n\r\ndata: evil"))
        #expect(text == ": a\n: \n: data: evil\ndata: x\n\n")
        #expect(EventStreamReader.events(in: Array(text.utf8)).map(\.data) == ["x"])
    }

    @Test(arguments: [
        ServerSentEvent("x", event: "a\nb"), ServerSentEvent("x", event: "a\r"), ServerSentEvent("x", id: "1\n2"),
        ServerSentEvent("x", id: "\r"), ServerSentEvent("x", id: "a\0b"), ServerSentEvent("x", id: "1\r\n\r\ndata: x"),
        ServerSentEvent("x", retry: .milliseconds(-1)), ServerSentEvent("x", retry: .seconds(Int64.max)),
    ])
    func `what would become another field, or be ignored, is refused`(event: ServerSentEvent) {
        #expect(throws: InvalidServerSentEvent.self) { try event.bytes }
    }

    @Test func `the parts reach a client that follows the standard`() throws {
        let sent = try [
            ServerSentEvent(comment: "hi"), ServerSentEvent("one\ntwo", event: "added", id: "7"),
            ServerSentEvent(id: "8"), ServerSentEvent("three", retry: .seconds(3)),
        ].flatMap { try $0.bytes }
        let seen = EventStreamReader.events(in: sent)
        #expect(seen.map(\.type) == ["added", "message"])
        #expect(seen.map(\.data) == ["one\ntwo", "three"])
        #expect(seen.map(\.lastID) == ["7", "8"])
    }
}
