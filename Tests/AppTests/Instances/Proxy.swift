import FoundationEssentials
import Glibc
import Processes

/// nginx in front of several instances of the site, with its own configuration and folder.
final class Proxy: Sendable {
    let port: Int
    private let process: GuardedProcess

    /// Whether nginx is installed; it is not on an ordinary user's `PATH`.
    static let isInstalled = program != nil

    private static let program: String? = ["/usr/sbin/nginx", "/usr/bin/nginx"].first { name in access(name, X_OK) == 0
    }

    /// Starts it, and waits until it listens.
    init(before ports: [Int]) async throws {
        guard let program = Self.program else { throw ProcessError(code: "nginx", message: "is not installed") }
        port = try FreePort.next()
        let servers = ports.map { "server 127.0.0.1:\($0);" }.joined(separator: " ")
        let configuration = """
            daemon off; pid FOLDER/pid; error_log FOLDER/error.log; worker_processes 1;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path FOLDER/body; proxy_temp_path FOLDER/proxy; fastcgi_temp_path FOLDER/fastcgi;
                uwsgi_temp_path FOLDER/uwsgi; scgi_temp_path FOLDER/scgi;
                upstream site { \(servers) }
                server {
                    listen 127.0.0.1:\(port);
                    location / { proxy_pass http://site; proxy_set_header Host $http_host; }
                }
            }
            """
        // A worker that runs as another user could not use the folder.
        let user = geteuid() == 0 ? "user root;\n" : ""
        let script = """
            printf '%s' "$2" | sed "s|FOLDER|$TMPDIR|g" >"$TMPDIR/nginx.conf"
            { until (exec 3<>/dev/tcp/127.0.0.1/$3) 2>/dev/null; do sleep 0.05; done; echo listening; } &
            exec "$1" -p "$TMPDIR" -e stderr -c "$TMPDIR/nginx.conf"
            """
        let arguments = ["bash", "-c", script, "bash", program, user + configuration, "\(port)"]
        process = try GuardedProcess(arguments, ending: "QUIT")
        _ = try await process.output(upTo: "listening")
    }

    func stop() async throws { try await process.stop() }
}
