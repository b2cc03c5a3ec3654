import Testing

@testable import Roost

/// The events that a slow viewer gets.
@Suite("Live viewers", .timeLimit(.minutes(5)))
struct LiveViewerTests {
    private func current(_ events: [LiveEvent]) throws -> [LiveEvent] {
        try LiveViewer.current(events.enumerated().map { try LiveMessage($0, $1) }).map(\.event)
    }

    private func patch(_ target: String, _ html: String, news: String? = nil) -> LiveEvent {
        LiveEvent(.patch, target: target, html: html, news: news)
    }

    @Test func `the newest patch of each element is kept, in order`() throws {
        let events = [patch("a", "1"), patch("b", "1"), patch("a", "2"), LiveEvent(.remove, target: "b")]
        #expect(try current(events) == [events[2], events[3]])
    }

    @Test func `what is added is kept`() throws {
        let add = LiveEvent(.append, target: "a", html: "<li id=\"1\">")
        #expect(try current([add, add]) == [add, add])
    }

    @Test func `an element that moves is taken away first`() throws {
        let events = [
            LiveEvent(.remove, target: "t3"), LiveEvent(.append, target: "done", html: "<li id=\"t3\">"),
            patch("t3", "<li id=\"t3\">new"),
        ]
        #expect(try current(events) == events)
    }

    @Test func `a replacement is not undone by a patch`() throws {
        let events = [LiveEvent(.replace, target: "a", html: "1"), patch("a", "2")]
        #expect(try current(events) == events)
    }

    @Test func `a refresh makes fragments obsolete, and the position stays that of the last event`() throws {
        let events = [patch("a", "1"), LiveEvent(.refresh), patch("b", "1")]
        let messages = try LiveViewer.current(events.enumerated().map { try LiveMessage($0, $1) })
        #expect(messages.map(\.event) == [LiveEvent(.refresh), LiveEvent(.seen)])
        #expect(messages.map(\.id) == [1, 2])
    }

    @Test func `the news of what is obsolete are told`() throws {
        #expect(
            try current([patch("a", "1", news: "One."), patch("a", "2", news: "Two.")])
                == [LiveEvent(.seen, news: "One."), patch("a", "2", news: "Two.")])
    }

    @Test func `targets that look the same in Unicode are different`() throws {
        let events = [patch("\u{E9}", "1"), patch("e\u{301}", "2")]
        #expect(try current(events) == events)
    }
}
