import Processes
import Testing

/// Files that are copied and changed: those of `scripts/skeleton` and of `docs/deploy`.
@Suite("Files to deploy with", .timeLimit(.minutes(5)))
struct DeployedFilesTests {
    private func lines(_ path: String) -> [Substring] { Readme.contents(path).split(separator: "\n") }

    @Test func `a package keeps the versions that it was built with, and its image is built with them`() {
        #expect(lines("scripts/skeleton/gitignore").contains("/.build/"))
        #expect(!lines("scripts/skeleton/gitignore").contains("/Package.resolved"))
        #expect(lines("scripts/skeleton/dockerignore").contains("!Package.resolved"))
        #expect(lines("scripts/skeleton/Dockerfile").contains("COPY Package.* ./"))
    }

    /// A client gives up after a minute, and says what it has waited for.
    @Test(arguments: ["generate"] + ["", "-accounts", "-api"].map { "skeleton\($0)/Tests/NAMETests/NoteTests.swift" })
    func `the tests of a package may take longer than their client waits`(file: String) {
        #expect(lines("scripts/" + file).filter { $0.hasPrefix("@Suite(") } == ["@Suite(.timeLimit(.minutes(2)))"])
    }

    @Test func `the image of a package says whether it is ready`() {
        let check = #"HEALTHCHECK --interval=10s --timeout=5s --start-period=5s CMD ["/app/NAME", "health"]"#
        #expect(lines("scripts/skeleton/Dockerfile").contains { $0 == check })
    }

    /// A site that SIGHUP has ended has drained, which is a success.
    @Test(arguments: ["docs/deploy/roost.service", "docs/exit-codes.md", "docs/tutorial.md"])
    func `systemd starts a program again that has ended well, unless it was told to stop`(file: String) {
        #expect(lines(file).contains("Restart=always"))
        #expect(lines(file).contains("RestartPreventExitStatus=64 78"))
    }

    @Test func `the journal keeps all lines of a busy site`() {
        #expect(lines("docs/deploy/roost.service").contains("LogRateLimitIntervalSec=0"))
    }

    @Test(arguments: ["nginx.conf", "nginx.compose.conf"])
    func `nginx passes on incomplete bodies only where uploads are`(file: String) {
        let parts = Readme.contents("docs/deploy/" + file).split(separator: "    location ")
        let passing = parts.filter { $0.contains("proxy_request_buffering off;") }
        #expect(passing.count == 1 && passing.first?.hasPrefix("~ ^/users/") == true, "\(passing)")
    }

    @Test(arguments: ["dev", "run"])
    func `the scripts for a site say how they are called`(name: String) async throws {
        let script = #""$1" --help; echo That is all.; exec sleep 100000"#
        let process = try GuardedProcess(["sh", "-c", script, "sh", Readme.root + "/scripts/" + name])
        let text = try await process.output(upTo: "That is all.")
        try await process.stop()
        #expect(text.contains("\n  scripts/\(name) "), "\(text)")
        #expect(!text.contains("set -euo"), "\(text)")
    }
}
