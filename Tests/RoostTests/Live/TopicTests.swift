import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("Topics", .timeLimit(.minutes(5)))
struct TopicTests {
    private struct Change: ServerSentEventConvertible, Equatable {
        let number: Int
        let encodings: Encodings?

        init(_ number: Int, _ encodings: Encodings? = nil) {
            self.number = number
            self.encodings = encodings
        }

        func serverSentEvent() -> ServerSentEvent {
            encodings?.add()
            return ServerSentEvent("\(number)", event: "changed", id: "ignored")
        }

        static func == (left: Change, right: Change) -> Bool { left.number == right.number }
    }

    fileprivate final class Encodings: Sendable {
        private let count = Atomic(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    /// An event that no stream can send when it is broken.
    private struct Egg: ServerSentEventConvertible {
        struct Broken: Error {}
        let isBroken: Bool

        func serverSentEvent() throws -> ServerSentEvent {
            if isBroken { throw Broken() }
            return ServerSentEvent("whole")
        }
    }

    private func collect(_ count: Int, _ subscription: TopicSubscription<Int>) async throws -> [Int] {
        var events: [Int] = []
        for try await message in subscription {
            events.append(message.event)
            if events.count == count { break }
        }
        return events
    }

    @Test func `a subscriber gets what is published from then on, in order`() async throws {
        let topic = Topic<Int>()
        topic.publish(0)
        let subscription = topic.subscribe()
        #expect(!subscription.hasMissedEvents)
        async let events = collect(100, subscription)
        for number in 1...100 { topic.publish(number) }
        #expect(try await events == Array(1...100))
    }

    @Test func `a subscriber can begin with the last events, as far as they are kept`() async throws {
        let topic = Topic<Int>(history: 10)
        #expect(topic.subscribe(last: 3).lastID == topic.lastID)
        for number in 1...4 { topic.publish(number) }
        #expect(try await collect(3, topic.subscribe(last: 3)) == [2, 3, 4])
        #expect(try await collect(4, topic.subscribe(last: 100)) == [1, 2, 3, 4])
        for number in 5...25 { topic.publish(number) }
        let subscription = topic.subscribe(last: .max)
        #expect(!subscription.hasMissedEvents)
        #expect(try await collect(10, subscription) == Array(16...25))
        #expect(topic.subscribe(last: 0).lastID == topic.lastID && topic.subscribe(last: .min).lastID == topic.lastID)
    }

    @Test func `ids increase by one, and begin with the time`() {
        let (first, second) = (Topic<Int>(), Topic<Int>())
        #expect(first.lastID > 1_700_000_000_000_000)
        #expect(first.lastID < 1 << 53)
        #expect(second.lastID >= first.lastID)
        let id = first.publish(1)
        #expect(first.publish(2) == id + 1)
        #expect(first.lastID == id + 1)
    }

    @Test func `one who comes back continues where it was`() async throws {
        let topic = Topic<Int>(history: 10)
        let before = topic.lastID
        let ids = (1...10).map { topic.publish($0) }
        #expect(try await collect(3, topic.subscribe(after: "\(ids[6])")) == [8, 9, 10])
        #expect(try await collect(10, topic.subscribe(after: "\(before)")) == Array(1...10))
        let current = topic.subscribe(after: "\(ids[9])")
        #expect(!current.hasMissedEvents)
        topic.publish(11)
        #expect(try await collect(1, current) == [11])
    }

    @Test func `one whose last event arrives at that moment has missed nothing`() async throws {
        for _ in 0..<2000 {
            let topic = Topic<Int>(history: 10, lastID: 5)
            async let id = Task.detached { topic.publish(6) }.value
            #expect(!topic.subscribe(after: "6", committed: 6).hasMissedEvents)
            #expect(await id == 6)
        }
    }

    @Test func `one who begins is not told what was committed before, though it comes later`() async throws {
        let topic = Topic<Int>(history: 10, lastID: 5)
        let new = topic.subscribe(after: nil, committed: 7)
        // One who has had 6 from another instance, one who cannot continue, and one whose id nobody has given.
        let ahead = topic.subscribe(after: "6", committed: 7)
        let lost = topic.subscribe(after: "x", committed: 7)
        let odd = topic.subscribe(after: "8", committed: 7)
        #expect(new.lastID == 7 && ahead.lastID == 6 && lost.lastID == 7 && odd.lastID == 7)
        #expect([new, ahead, lost, odd].map(\.hasMissedEvents) == [false, false, true, true])
        for number in 6...9 { topic.publish(number) }
        #expect(try await collect(2, new) == [8, 9])
        #expect(try await collect(3, ahead) == [7, 8, 9])
        #expect(try await collect(2, lost) == [8, 9])
        #expect(topic.subscribe(after: nil, committed: 7).lastID == 9)
    }

    @Test func `one who has missed something is told so`() throws {
        let topic = Topic<Int>(history: 10)
        let before = topic.lastID
        for number in 0..<11 { topic.publish(number) }
        let last = topic.lastID
        let numbers = ["\(before)", "\(last + 1)", "0", "-1", "\(Int.max)", "\(Int.min)"]
        let texts = ["+\(last)", "0\(last)", " \(last)", "\(last) ", "\(last).0", "x", "", "\(last)\0", "٣"]
        let odd = numbers + texts + [String(repeating: "9", count: 5000)]
        for id in odd {
            let subscription = topic.subscribe(after: id)
            #expect(subscription.hasMissedEvents, "\(id)")
            #expect(subscription.lastID == last)
        }
        #expect(!topic.subscribe(after: "\(before + 1)").hasMissedEvents)
    }

    @Test func `one who falls behind is ended`() async throws {
        let topic = Topic<Int>(history: 3)
        let messages = topic.subscribe().makeAsyncIterator()
        for number in 1...3 { topic.publish(number) }
        #expect(try await messages.next()?.event == 1)
        topic.publish(4)
        #expect(try await messages.next()?.event == 2)
        for number in 5...6 { topic.publish(number) }
        await #expect(throws: FellBehind.self) { try await messages.next() }
    }

    @Test func `publishing within a subscriber reaches all, also itself`() async throws {
        let topic = Topic<Int>()
        let (first, second) = (topic.subscribe(), topic.subscribe())
        async let events = collect(10, second)
        topic.publish(1)
        for try await message in first {
            if message.event == 10 { break }
            topic.publish(message.event + 1)
        }
        #expect(try await events == Array(1...10))
    }

    @Test func `a subscriber's task that is cancelled ends, before it waits and while it does`() async throws {
        let topic = Topic<Int>()
        for isEarly in [true, false] {
            let (ready, go) = (Latch(), Latch())
            let task = Task {
                let messages = topic.subscribe().makeAsyncIterator()
                ready.open()
                if isEarly { await go.wait() }
                return try await messages.next()?.event
            }
            await ready.wait()
            task.cancel()
            go.open()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        let messages = topic.subscribe().makeAsyncIterator()
        topic.publish(5)
        #expect(try await messages.next()?.event == 5)
    }

    @Test func `many publish, and all subscribers on all loops see the same`() async throws {
        let topic = Topic<Int>(history: 10_000)
        let loops = try EventLoopGroup(count: 3, pool: BlockingPool(threads: 1, queue: 1))
        defer { loops.abandon() }
        let all = try await withThrowingTaskGroup(of: [Int].self) { group in
            for index in 0..<60 {
                let started = Latch()
                group.addTask(executorPreference: index % 4 == 3 ? nil : loops.loops[index % 4]) {
                    let subscription = topic.subscribe()
                    started.open()
                    var ids: [Int] = []
                    for try await message in subscription {
                        ids.append(message.id)
                        if ids.count == 4000 { break }
                    }
                    return ids
                }
                await started.wait()
            }
            await withTaskGroup { publishers in
                for _ in 0..<4 { publishers.addTask { for number in 0..<1000 { topic.publish(number) } } }
            }
            return try await group.reduce(into: [[Int]]()) { $0.append($1) }
        }
        #expect(all.count == 60)
        for ids in all { #expect(ids == Array((topic.lastID - 3999)...topic.lastID)) }
    }

    @Test func `streams get each publication encoded once, with its id`() async throws {
        let topic = Topic<Change>(history: 10)
        let encodings = Encodings()
        let client = TestClient(
            try Application(middleware: []) { routes in
                routes.events(Path("/events")) { request, events in
                    try await events.send(topic.subscribe(after: request.lastEventID))
                }
            }
        )
        var connections: [HTTPConnection] = []
        for _ in 0..<5 {
            let connection = try await client.connect()
            try await connection.send(.get, "/events")
            while !String(decoding: try await connection.receive(), as: UTF8.self).contains("id: \(topic.lastID)\n\n") {
            }
            connections.append(connection)
        }
        let id = topic.publish(Change(1, encodings))
        for connection in connections {
            let text = String(decoding: try await connection.receive(), as: UTF8.self)
            #expect(text.contains("\r\nevent: changed\ndata: 1\nid: \(id)\n\n\r\n"))
        }
        #expect(encodings.value == 1)
    }

    @Test func `a stream that cannot continue begins with a reset, one that can with what it missed`() async throws {
        let topic = Topic<Change>(history: 10)
        let id = topic.publish(Change(1))
        topic.publish(Change(2))
        let client = TestClient(
            try Application(middleware: []) { routes in
                routes.events(Path("/events")) { request, events in
                    try await events.send(topic.subscribe(after: request.lastEventID))
                }
            }
        )
        for (header, expected) in [
            ("\(id)", ["changed", "changed"]), ("17", ["reset", "changed"]), ("", ["changed"]),
        ] {
            let connection = try await client.connect()
            try await connection.send(.get, "/events", headers: [.lastEventID: header])
            var text = ""
            while !text.contains("id: ") { text += String(decoding: try await connection.receive(), as: UTF8.self) }
            let last = topic.publish(Change(3))
            while !text.contains("id: \(last)\n") {
                text += String(decoding: try await connection.receive(), as: UTF8.self)
            }
            let lines = text.unicodeScalars.split { $0 == "\n" }.map { String($0) }.filter { $0.hasPrefix("event: ") }
            #expect(lines.map { String($0.dropFirst(7)) } == expected, "\(header)")
            connection.close()
        }
    }

    @Test(arguments: [false, true])
    func `an event that cannot be sent is a reset, and the next one follows`(isOpenBefore: Bool) async throws {
        let topic = Topic<Egg>(history: 10)
        let start = topic.lastID
        let client = try TestClient { routes in
            routes.events(Path("/events")) { request, events in
                try await events.send(topic.subscribe(after: request.lastEventID))
            }
        }
        let connection = try await client.connect()
        var text = ""
        func read(until end: String) async throws {
            while !text.contains(end) {
                let bytes = try await connection.receive()
                try #require(!bytes.isEmpty, "The stream has ended: \(text)")
                text += String(decoding: bytes, as: UTF8.self)
            }
        }
        func publish() { for isBroken in [true, false] { topic.publish(Egg(isBroken: isBroken)) } }
        if !isOpenBefore { publish() }
        try await connection.send(.get, "/events", headers: [.lastEventID: "\(start)"])
        try await read(until: "id: \(start)\n\n")
        if isOpenBefore { publish() }
        try await read(until: "data: whole\nid: \(start + 2)\n\n")
        #expect(text.contains("event: reset\ndata: {}\nid: \(start + 1)\n\n"))
        connection.close()
    }
}
