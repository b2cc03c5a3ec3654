import Glibc
import Processes
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
    ///
    /// - Parameter prefix: A program that starts it, with arguments, such as `prlimit`.
    static func start(_ variables: [String: String] = [:], under prefix: [String] = []) async throws -> SiteProcess {
        try await SiteProcess(variables, prefix, until: "Roost answers at")
    }

    /// Starts the site and waits until it has ended: what it printed and its exit code.
    static func fail(_ variables: [String: String]) async throws -> (output: String, code: String) {
        let site = try await SiteProcess(variables, [], until: "exit code")
        let lines = site.output.split(separator: "\n").dropFirst()
        return (lines.dropLast().joined(separator: "\n"), String(lines.last?.split(separator: " ").last ?? ""))
    }

    private init(_ variables: [String: String], _ prefix: [String], until marker: String) async throws {
        // The shell tells the process's number first and its exit code last.
        let script = "\"$@\" 2>&1 & echo pid $!; wait $!; echo exit code $?"
        let settings = ["PORT": "0", "ROOT": Site.root].merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
        process = try GuardedProcess(["sh", "-c", script, "sh", "env"] + settings + prefix + [Self.binary])
        output = try await process.output(upTo: marker)
        pid = try #require(output.split(separator: "\n").first?.split(separator: " ").last.flatMap { pid_t($0) })
        port = output.split(separator: ":").last.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
    }

    /// Sends SIGTERM and returns the exit code.
    func terminate() async throws -> String {
        signal(SIGTERM)
        return try await exitCode()
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits until the site has ended, and returns the exit code.
    func exitCode() async throws -> String {
        let rest = try await process.output(upTo: "exit code")
        try await process.stop()
        return String(rest.split(whereSeparator: \.isWhitespace).last ?? "")
    }

    /// How much memory it has in use (`VmRSS`), in kB; 0 when it has ended.
    var residentSize: Int {
        guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if words.first == "VmRSS:" { return Int(words[1]) ?? 0 }
        }
        return 0
    }

    /// Beside the test bundle, where SwiftPM puts all products.
    private static var binary: String {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return tests.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/App"
    }
}
