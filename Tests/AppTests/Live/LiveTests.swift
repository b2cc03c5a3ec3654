import Glibc
import HTTPTypes
import Processes
import RoostTesting
import Testing

@testable import App
@testable import RoostCommands

/// The binary over TCP: what only a real process can show.
@Suite("The site as a process", .timeLimit(.minutes(10)))
struct LiveTests {
    @Test func `it serves, and ends with code 0 on SIGTERM`() async throws {
        let site = try await SiteProcess.start()
        let response = try await WireClient(port: site.port).get("/users")
        #expect(response.text == UserControllerTests.twoUsers)
        #expect(try await site.terminate() == "0")
    }

    @Test func `the front page shows the port that it listens on`() async throws {
        let site = try await SiteProcess.start(["PORT": "0"])
        let page = try await WireClient(port: site.port).get("/")
        #expect(page.text.contains("curl localhost:\(site.port)/users"))
        #expect(try await site.terminate() == "0")
    }

    @Test func `SIGHUP ends no site that orders its certificate`() async throws {
        let site = try await SiteProcess.start([
            "TLS": "auto", "HOST_NAMES": "a.test", "ACME_DIRECTORY": "https://127.0.0.1:1/", "HOST": "127.0.0.1",
            "TLS_PORT": "0", "ROOST_ENV": "development",
        ])
        site.signal(SIGHUP)
        #expect(try await site.terminate() == "0")
    }

    @Test func `SIGTERM does not wait for idle connections`() async throws {
        let site = try await SiteProcess.start()
        let connection = try await HTTPConnection.connect(port: site.port)
        try await connection.send(.get, "/users")
        _ = try await connection.readResponse()
        #expect(try await site.terminate() == "0")
        try await connection.waitForClose()
    }

    @Test func `a second instance on the same port is told so`() async throws {
        let site = try await SiteProcess.start()
        let (output, code) = try await SiteProcess.fail(["PORT": "\(site.port)", "LOG_LEVEL": "error"])
        #expect(code == "69")
        #expect(
            output == "Cannot listen on 127.0.0.1:\(site.port): another program already listens there; stop it, or "
                + "set PORT to another number."
        )
        #expect(try await site.terminate() == "0")
    }

    @Test(arguments: [
        (["PORT": "http"], "PORT is \"http\"; set it to a whole number from 0 to 65535."),
        (["ROOST_ENV": "staging"], "ROOST_ENV is \"staging\"; set it to development or production."),
        // No name either, so nobody asks the DNS.
        (["HOST": "::1%none"], "HOST is \"::1%none\", which has no address"),
        (["ROOT": "/nonexistent"], "/nonexistent/Templates"),
    ])
    func `a bad configuration is a sentence and code 78`(variables: [String: String], sentence: String) async throws {
        let (output, code) = try await SiteProcess.fail(variables.merging(["LOG_LEVEL": "error"]) { $1 })
        #expect(code == "78")
        #expect(output.contains(sentence), "\(output)")
        #expect(output.split(separator: "\n").count == 1)
    }

    @Test func `localhost reaches it too`() async throws {
        let site = try await SiteProcess.start(["PORT": "\(FreePort.next())"])
        #expect(try await WireClient(host: "localhost", port: site.port).get("/").status == .ok)
        #expect(try await site.terminate() == "0")
    }

    @Test func `the health check finds it by any name, and nothing when it has ended`() async throws {
        // A port that nothing else takes when the site has ended.
        let site = try await SiteProcess.start(["PORT": "\(FreePort.next())"])
        for host in ["127.0.0.1", "0.0.0.0", "::", "localhost"] { #expect(try await isHealthy(host, site)) }
        #expect(try await site.terminate() == "0")
        #expect(try await !isHealthy("localhost", site))
    }

    private func isHealthy(_ host: String, _ site: SiteProcess) async throws -> Bool {
        let answer = try await BlockingThread.run {
            HealthProbe.ask(host: host, port: site.port, timeout: .seconds(600))
        }
        return answer?.isHealthy == true
    }

    @Test func `several workers share one port`() async throws {
        let site = try await SiteProcess.start(["WORKERS": "4"])
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask { try await WireClient(port: site.port).get("/users").status }
            }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(try await site.terminate() == "0")
    }
}
