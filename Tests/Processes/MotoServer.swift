import Glibc
import RoostTesting
import Synchronization

/// moto's server, which speaks S3 (`pip install 'moto[server]'`), in a process of its own.
package final class MotoServer: Sendable {
    /// Its URL, without a path.
    package let endpoint: String
    /// The port on which it listens.
    package let port: Int
    private let process: GuardedProcess
    private let buckets = Atomic(0)

    /// Whether it is installed.
    package static let isInstalled = program != nil

    /// `scripts/install-servers` installs it below `.build`; anybody's own is on the `PATH`.
    private static let program: String? = {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let folders = ["\(root)/.build/moto/bin"] + path.split(separator: ":").map { String($0) }
        return folders.map { $0 + "/moto_server" }.first { access($0, X_OK) == 0 }
    }()

    private static let sharedServer = Task { try await MotoServer() }

    /// One server for all tests that do not disturb others.
    package static func shared() async throws -> MotoServer { try await sharedServer.value }

    /// Starts it, and waits until it listens.
    package init() async throws {
        guard let program = Self.program else { throw ProcessError(code: "moto_server", message: "is not installed") }
        port = try FreePort.next()
        endpoint = "http://127.0.0.1:\(port)"
        let script = """
            { until (exec 3<>/dev/tcp/127.0.0.1/$2) 2>/dev/null; do sleep 0.05; done; echo listening; } &
            exec "$1" -H 127.0.0.1 -p $2
            """
        process = try GuardedProcess(["bash", "-c", script, "bash", program, "\(port)"])
        _ = try await process.output(upTo: "listening")
    }

    /// Creates a bucket for one test; returns its name.
    package func makeBucket() async throws -> String {
        let name = "nests-\(buckets.add(1, ordering: .relaxed).newValue)"
        let response = try await WireClient(port: port).request(.put, "/\(name)")
        guard response.status == .ok else { throw ProcessError(code: "moto_server", message: response.text) }
        return name
    }

    /// Ends it.
    package func stop() async throws { try await process.stop() }
}
