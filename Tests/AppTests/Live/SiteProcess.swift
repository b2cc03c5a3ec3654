import Glibc
import Processes
import RoostTesting
import Testing

/// The site's own binary, as its users run it, on a free port.
final class SiteProcess: Sendable {
    private let process: GuardedProcess
    private let pid: pid_t
    /// The port that it listens on; 0 if it never listened.
    let port: Int
    /// The output of the program so far.
    let output: String

    /// The port in `Roost answers at http://127.0.0.1:3000`, wherever that stands among lines of the log.
    private static func port(in output: String) -> Int {
        guard let begin = output.firstRange(of: "Roost answers at http://") else { return 0 }
        let address = output[begin.upperBound...].prefix { !$0.isNewline }
        return address.split(separator: ":").last.flatMap { Int($0) } ?? 0
    }

    /// The site's URL.
    var url: String { "http://127.0.0.1:\(port)" }

    /// A program that starts the site without its log: output that nobody reads fills a pipe and then blocks the
    /// writer.
    static let quiet = ["sh", "-c", "exec \"$0\" \"$@\" 2>/dev/null"]

    /// A busy machine must not look like a slow client: unless a test sets another value, the site waits longer than
    /// any test takes.
    private static let patience = [
        "HEAD_TIMEOUT": "3600", "BODY_TIMEOUT": "3600", "IDLE_TIMEOUT": "3600", "SEND_TIMEOUT": "3600",
        "LINGER_TIMEOUT": "3600", "DRAIN_TIMEOUT": "3600", "MIN_BODY_RATE": "0",
    ]

    /// Starts the site and waits until it listens.
    ///
    /// - Parameters:
    ///   - prefix: A program that starts it, with arguments, such as `prlimit`.
    ///   - descriptor: The descriptor that it gets as number 3.
    static func start(
        _ variables: [String: String] = [:],
        under prefix: [String] = [],
        inheriting descriptor: Int32? = nil
    ) async throws -> SiteProcess {
        let variables = patience.merging(variables) { $1 }
        return try await SiteProcess(variables, prefix, [], descriptor, until: "Roost answers at")
    }

    /// Starts the site, or one of its commands, and waits until it has ended: its output and exit code.
    static func fail(
        _ variables: [String: String],
        _ arguments: [String] = [],
        under prefix: [String] = []
    ) async throws -> (output: String, code: String) {
        // In memory, because creating a file is logged.
        let variables = ["DATABASE_URL": "memory:"].merging(variables) { $1 }
        let site = try await SiteProcess(variables, prefix, arguments, nil, until: "exit code")
        let lines = site.output.split(separator: "\n").dropFirst()
        return (lines.dropLast().joined(separator: "\n"), String(lines.last?.split(separator: " ").last ?? ""))
    }

    private init(
        _ variables: [String: String],
        _ prefix: [String],
        _ arguments: [String],
        _ descriptor: Int32?,
        until marker: String
    ) async throws {
        // The shell prints the process's number first and its exit code last. The site's data goes away with it.
        let script = "export DATA_DIR=$TMPDIR; \"$@\" 2>&1 & echo pid $!; wait $!; echo exit code $?"
        let settings = ["PORT": "0", "ROOT": Site.root].merging(variables) { $1 }.map { "\($0.key)=\($0.value)" }
        let command = ["sh", "-c", script, "sh", "env"] + settings + prefix + [Self.binary] + arguments
        process = try GuardedProcess(command, inheriting: descriptor)
        output = try await process.output(upTo: marker)
        pid = try #require(output.split(separator: "\n").first?.split(separator: " ").last.flatMap { pid_t($0) })
        port = Self.port(in: output)
    }

    /// Sends SIGTERM and returns the exit code.
    func terminate() async throws -> String {
        signal(SIGTERM)
        return try await exitCode()
    }

    /// Sets another limit for the size of its files: bytes, or `unlimited`.
    func limitFileSize(_ size: String) async throws { try await limit("fsize", to: size) }

    /// Sets another limit for the numbers of its new file descriptors.
    func limitOpenFiles(_ number: Int) async throws { try await limit("nofile", to: "\(number)") }

    private func limit(_ resource: String, to value: String) async throws {
        let prlimit = try GuardedProcess(["sh", "-c", "prlimit --pid \(pid) --\(resource)=\(value): && echo done"])
        _ = try await prlimit.output(upTo: "done")
        try await prlimit.stop()
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(pid, number) }

    /// Waits until the site has ended, and returns the exit code.
    func exitCode() async throws -> String { try await ending().code }

    /// Waits until the site has ended: the exit code, and its output since it began to listen.
    func ending() async throws -> (code: String, output: String) {
        let rest = try await process.output(upTo: "exit code")
        try await process.stop()
        return (String(rest.split(whereSeparator: \.isWhitespace).last ?? ""), rest)
    }

    /// The program's own memory that is in use (`RssAnon`), in kB, without files that it maps; 0 when it has ended.
    var residentSize: Int {
        guard let file = fopen("/proc/\(pid)/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                .split(whereSeparator: \.isWhitespace)
            if words.first == "RssAnon:" { return Int(words[1]) ?? 0 }
        }
        return 0
    }

    /// The number of its file descriptors.
    var openFiles: Int {
        guard let folder = opendir("/proc/\(pid)/fd") else { return 0 }
        defer { closedir(folder) }
        // The folder itself and the one around it are listed, too.
        return sequence(state: folder) { readdir($0) }.reduce(-2) { count, _ in count + 1 }
    }

    /// Beside the test bundle, where SwiftPM puts all products.
    private static var binary: String { products + "/App" }

    /// The folder with the programs of this build.
    static var products: String {
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return tests.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    }
}
