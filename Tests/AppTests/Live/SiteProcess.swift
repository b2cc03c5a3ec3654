import Glibc
import RoostTesting
import Testing

/// The site's own binary, as its users run it, on a free port.
final class SiteProcess: Sendable {
    private let process: GuardedProcess
    private let pid: pid_t
    /// The port that it listens on; 0 when it has not come to that.
    let port: Int
    /// What it has printed so far.
    let output: String

    /// Where the site answers.
    var url: String { "http://127.0.0.1:\(port)" }

    /// Starts the site and waits until it answers.
    static func start(_ variables: [String: String] = [:]) async throws -> SiteProcess {
        try await SiteProcess(variables, until: "Roost answers at")
    }

    /// Starts the site and waits until it has ended: what it printed and its exit code.
    static func fail(_ variables: [String: String]) async throws -> (output: String, code: String) {
        let site = try await SiteProcess(variables, until: "exit code")
        let lines = site.output.split(separator: "\n").dropFirst()
        return (lines.dropLast().joined(separator: "\n"), String(lines.last?.split(separator: " ").last ?? ""))
    }

    private init(_ variables: [String: String], until marker: String) async throws {
        // The shell tells the process's number first and its exit code last.
        let script = "\"$@\" 2>&1 & echo pid $!; wait $!; echo exit code $?"
        let settings = ["PORT": "0", "ROOT": Site.root].merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
        process = try GuardedProcess(["sh", "-c", script, "sh", "env"] + settings + [Self.binary])
        output = try await process.output(upTo: marker)
        pid = try #require(output.split(separator: "\n").first?.split(separator: " ").last.flatMap { pid_t($0) })
        port = output.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }

    /// Sends SIGTERM and returns the exit code.
    func terminate() async throws -> String {
        kill(pid, SIGTERM)
        let rest = try await process.output(upTo: "exit code")
        try await process.stop()
        return String(rest.split(whereSeparator: \.isWhitespace).last ?? "")
    }

    /// Beside the test bundle, where SwiftPM puts all products.
    private static var binary: String {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return tests.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/App"
    }
}
