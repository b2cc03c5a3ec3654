import FoundationEssentials
import Roost
import RoostTesting
import Testing

@Suite("A test's clock", .timeLimit(.minutes(5)))
struct TestClockTests {
    @Test func `it begins at a given time, for whatever is made by it, early or late`() {
        // A Saturday: on the next day, Europe puts its clocks back.
        let evening = Date(timeIntervalSince1970: 1_792_868_400)
        let clock = TestClock(at: evening)
        let early = withClock(clock) { TimeSource.current }
        #expect(early.now == evening && early.secondsSince1970() == 1_792_868_400)
        clock.advance(by: .hours(12))
        let late = withClock(clock) { TimeSource.current }
        let morning = Date(timeIntervalSince1970: 1_792_868_400 + 43_200)
        #expect(early.now == morning && late.now == morning)
    }

    @Test(arguments: [-14_182_940, 1_000_000_000, 1_792_868_400, 4_102_444_799])
    func `a whole second stays one`(second: Int) {
        let time = withClock(TestClock(at: Date(timeIntervalSince1970: Double(second)))) { TimeSource.current }
        #expect(time.now.timeIntervalSince1970 == Double(second))
    }

    @Test func `the client's cookies end by the time at which it begins`() async throws {
        let clock = TestClock(at: Date(timeIntervalSince1970: 784_111_770))
        let client = try withClock(clock) {
            try TestClient { routes in
                routes.get(Path("/set")) { _ in
                    let field = "a=1; Path=/; Expires=Sun, 06 Nov 1994 08:49:37 GMT"
                    return Response(.noContent, headers: [.setCookie: field])
                }
            }
        }
        _ = try await client.get("/set")
        #expect(client.cookie("a") == "1")
        clock.advance(by: .seconds(7))
        #expect(client.cookie("a") == nil)
    }

    @Test(arguments: [false, true])
    func `a wait for sleepers ends when its task is cancelled, before it waits and while it does`(
        isEarly: Bool
    ) async {
        let clock = TestClock()
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let waiting = Task.immediate {
            if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
            await clock.waitForSleepers()
            end.yield(Task.isCancelled)
        }
        if !isEarly { waiting.cancel() }
        // Unlike the task's value, this ends with the suite's time.
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }
}
