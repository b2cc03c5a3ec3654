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

    /// Otherwise the tests would use the database, and the jobs, of whoever runs them.
    @Test func `a child inherits no setting of the site, and speaks the language of all tests`() throws {
        let variables = [
            "DATABASE_URL": "postgres://site", "SMTP_URL": "smtp://site", "PORT": "80", "MAX_BODY_SIZE": "1",
            "LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr", "PATH": "/bin", "TSAN_OPTIONS": "a=b",
        ]
        let inherited = ["LC_ALL": "C.UTF-8", "PATH": "/bin", "TSAN_OPTIONS": "a=b"]
        #expect(try GuardedProcess.environment(variables) == inherited)
    }

    @Test func `a child's environment is that one`() async throws {
        let process = try GuardedProcess(["sh", "-c", "echo \"$LC_ALL\""])
        #expect(try await process.output(upTo: "\n") == "C.UTF-8\n")
        try await process.stop()
    }

    @Test func `a child that cannot start prints nothing and ends`() async throws {
        let process = try GuardedProcess(["no-such-program"])
        let error = await #expect(throws: ProcessError.self) { try await process.output(upTo: "x") }
        #expect(error?.code == "the process ended")
        try await process.stop()
    }
}
