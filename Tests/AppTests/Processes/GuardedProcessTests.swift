import Processes
import Testing

@Suite(.timeLimit(.minutes(5))) struct GuardedProcessTests {
    @Test func `a stop ends the child and what it has started`() async throws {
        let process = try GuardedProcess(["sh", "-c", "sleep 1000 & echo started; wait"])
        #expect(try await process.output(upTo: "started") == "started\n")
        try await process.stop()
        // The sleeping process holds the output too, so the stream ends only when both are gone.
        let error = await #expect(throws: ProcessError.self) { try await process.output(upTo: "more") }
        #expect(error?.code == "the process ended")
        try await process.stop()
    }

    @Test func `a child that cannot start prints nothing and ends`() async throws {
        let process = try GuardedProcess(["no-such-program"])
        let error = await #expect(throws: ProcessError.self) { try await process.output(upTo: "x") }
        #expect(error?.code == "the process ended")
        try await process.stop()
    }
}
