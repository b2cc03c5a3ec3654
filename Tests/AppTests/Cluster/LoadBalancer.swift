import FoundationEssentials
import Glibc
import Processes
import RoostTesting

/// HAProxy in front of several instances of the site, which it checks.
final class LoadBalancer: Sendable {
    let port: Int
    private let process: GuardedProcess

    /// Whether HAProxy is installed; it is not on an ordinary user's `PATH`.
    static let isInstalled = program != nil

    private static let program: String? = ["/usr/sbin/haproxy", "/usr/bin/haproxy"].first { access($0, X_OK) == 0 }

    /// Starts it with the backend of `docs/deploy/haproxy.cfg`, and waits until it listens.
    init(before ports: [Int]) async throws {
        guard let program = Self.program else { throw ProcessError(code: "haproxy", message: "is not installed") }
        port = try FreePort.next()
        let example = try String(contentsOfFile: Site.root + "/docs/deploy/haproxy.cfg", encoding: .utf8)
        let parts = example.components(between: "\ndefaults\n", and: "\nfrontend")
        let backend = example.components(between: "\nbackend instances\n", and: "    server ")
        guard let defaults = parts.first, let backend = backend.first else {
            throw ProcessError(code: "haproxy.cfg", message: "has no defaults or no backend")
        }
        let servers = ports.map { "    server s\($0) 127.0.0.1:\($0)\n" }.joined()
        let configuration = """
            global
                maxconn 1000
            defaults
            \(defaults)
            frontend site
                bind 127.0.0.1:\(port)
                stats enable
                stats uri /haproxy
                default_backend instances
            backend instances
            \(backend)\(servers)

            """
        let script = """
            printf '%s' "$2" >"$TMPDIR/haproxy.cfg"
            { until (exec 3<>/dev/tcp/127.0.0.1/$3) 2>/dev/null; do sleep 0.05; done; echo listening; } &
            exec "$1" -q -db -f "$TMPDIR/haproxy.cfg"
            """
        process = try GuardedProcess(["bash", "-c", script, "bash", program, configuration, "\(port)"])
        _ = try await process.output(upTo: "listening")
    }

    /// Waits until it considers an instance able to serve, or not.
    func wait(for instance: Int, isUp: Bool) async throws {
        let client = WireClient(port: port)
        while true {
            try Task.checkCancellation()
            let lines = try await client.get("/haproxy;csv").text.split(separator: "\n")
            let line = lines.first { $0.hasPrefix("instances,s\(instance),") }
            let state = line?.split(separator: ",", omittingEmptySubsequences: false)[17]
            if state?.hasPrefix("UP") == isUp { return }
        }
    }

    func stop() async throws { try await process.stop() }
}
