import FoundationEssentials
import Glibc
import RoostTesting
import Synchronization

/// A PostgreSQL server for tests, in a temporary folder that is removed with it (see `scripts/postgresql`).
package final class PostgresServer: Sendable {
    /// The TCP port that it listens on.
    package let port: Int
    /// The folder of its socket.
    package let folder: String

    // It owns the folder, which is removed when this process ends, however it ends.
    private let holder: GuardedProcess
    private let settings: [String]
    private let running = Mutex<GuardedProcess?>(nil)
    private let databases = Mutex(0)

    /// Whether the server's programs are installed; otherwise suites that need them are skipped.
    package static let isInstalled =
        (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.contains {
            access("/usr/lib/postgresql/\($0)/bin/postgres", X_OK) == 0
        } ?? false

    // Several tests run at a time, some with several instances of the site, each with its own pool.
    private static let sharedServer = Task {
        try await PostgresServer(["-c", "max_prepared_transactions=1", "-c", "max_connections=300"])
    }

    /// One server for all tests that do not disturb others.
    package static func shared() async throws -> PostgresServer { try await sharedServer.value }

    /// Starts a new server.
    /// - Parameters:
    ///   - settings: Options such as `-c`, `max_connections=20`.
    ///   - primary: The server that it follows, as a copy that can be read.
    package init(_ settings: [String] = [], following primary: PostgresServer? = nil) async throws {
        self.settings = settings
        holder = try GuardedProcess(["sh", "-c", "echo \"$TMPDIR\"; exec sleep 100000"])
        folder = try await holder.output(upTo: "/").split(separator: "\n").map(String.init).first ?? ""
        port = try FreePort.next()
        if let primary { try await copy(primary) }
        try await start()
    }

    /// Starts it, or starts it again after it was ended, and waits until it accepts connections.
    package func start() async throws {
        let command = ["bash", Self.script, folder, "\(port)"] + settings
        let process = try GuardedProcess(command, ending: "QUIT")
        running.withLock { $0 = process }
        _ = try await process.output(upTo: "DATABASE_URL=")
    }

    /// Ends it as a crash of the machine would, except for the disk's cache: nothing more is written.
    package func kill() async throws {
        // Sessions are in their own process groups, and go on until they notice; while the server is stopped none is
        // added.
        try freeze()
        let pid = try mainProcess()
        let children = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
        let sessions = children.split(separator: " ").compactMap { pid_t($0) }
        for session in sessions { Glibc.kill(session, SIGKILL) }
        // The next server refuses to start while one of them still has their shared memory.
        while !sessions.allSatisfy(Self.hasEnded) {
            try Task.checkCancellation()
            await Task.yield()
        }
        Glibc.kill(pid, SIGKILL)
        let process = running.withLock { $0.take() }
        try await process?.stop()
    }

    /// Stops it from accepting connections and requests to cancel, though its system does; sessions go on. Only
    /// ``kill()`` ends that.
    package func freeze() throws { Glibc.kill(try mainProcess(), SIGSTOP) }

    private func mainProcess() throws -> pid_t {
        guard let line = try? String(contentsOfFile: folder + "/data/postmaster.pid", encoding: .utf8),
            let pid = line.split(separator: "\n").first.flatMap({ pid_t($0) })
        else { throw ProcessError(code: "no server", message: folder) }
        return pid
    }

    private static func hasEnded(_ process: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return status.split(separator: ")").last?.hasPrefix(" Z") ?? true
    }

    /// Ends it at once, cutting off all connections.
    package func stop() async throws {
        let process = running.withLock { $0.take() }
        try await process?.stop()
    }

    /// The URL of a database.
    package func url(_ database: String = "roost") -> String {
        "postgres://roost:roost@127.0.0.1:\(port)/\(database)"
    }

    /// Creates a database for one test; returns its URL.
    package func makeDatabase() async throws -> String {
        let number = databases.withLock { number in
            number += 1
            return number
        }
        try await psql("CREATE DATABASE test_\(getpid())_\(number)")
        return url("test_\(getpid())_\(number)")
    }

    /// Runs a statement as another client would; returns what it prints, without headings.
    @discardableResult
    package func psql(_ statement: String, database: String = "roost") async throws -> String {
        let arguments = [
            "psql", "--host=\(folder)", "--port=\(port)", "--username=roost", "--dbname=\(database)", "-XAtq",
            "--set=ON_ERROR_STOP=1", "--command=\(statement)",
        ]
        let process = try GuardedProcess(["sh", "-c", "\"$@\" 2>&1; echo \"exit code $?\"", "sh"] + arguments)
        let output = try await process.output(upTo: "exit code")
        try await process.stop()
        guard output.hasSuffix("exit code 0\n") else { throw ProcessError(code: "psql", message: output) }
        return String(output.dropLast("exit code 0\n".count))
    }

    private static var script: String {
        #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/scripts/postgresql"
    }
}
