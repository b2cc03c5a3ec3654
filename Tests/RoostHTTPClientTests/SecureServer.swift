import Glibc
import Processes

/// nginx with TLS, HTTP/2 and a certificate of its own authority for `localhost`.
final class SecureServer: Sendable {
    let port: Int
    /// The path of the authority's certificate.
    let authority: String
    private let process: GuardedProcess

    static let isInstalled = program != nil && access("/usr/bin/openssl", X_OK) == 0

    private static let program: String? = ["/usr/sbin/nginx", "/usr/bin/nginx"].first { access($0, X_OK) == 0 }

    /// Starts it, and waits until it listens.
    /// - Parameter upstream: The port of the server that answers for `/slow`.
    init(upstream: Int = 1) async throws {
        guard let program = Self.program else { throw ProcessError(code: "nginx", message: "is not installed") }
        port = try FreePort.next()
        let configuration = """
            daemon off; pid FOLDER/pid; error_log FOLDER/error.log; worker_processes 1;
            events { worker_connections 512; }
            http {
                access_log off;
                client_body_temp_path FOLDER/body; proxy_temp_path FOLDER/proxy; fastcgi_temp_path FOLDER/fastcgi;
                uwsgi_temp_path FOLDER/uwsgi; scgi_temp_path FOLDER/scgi;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate FOLDER/server.pem; ssl_certificate_key FOLDER/key.pem;
                    location = /large { root FOLDER; }
                    location = /slow { proxy_pass http://127.0.0.1:\(upstream); }
                    location / { return 200 "$server_protocol $connection"; }
                }
            }
            """
        // A worker that runs as another user could not use the folder.
        let user = geteuid() == 0 ? "user root;\n" : ""
        let script = """
            cd "$TMPDIR"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout key.pem \
                -out server.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>&1 || exit
            head -c 3000000 /dev/zero >large
            printf '%s' "$2" | sed "s|FOLDER|$TMPDIR|g" >nginx.conf
            { until (exec 3<>/dev/tcp/127.0.0.1/$3) 2>/dev/null; do sleep 0.05; done; echo "listening $TMPDIR;"; } &
            exec "$1" -p "$TMPDIR" -e stderr -c "$TMPDIR/nginx.conf"
            """
        let arguments = ["bash", "-c", script, "bash", program, user + configuration, "\(port)"]
        process = try GuardedProcess(arguments, ending: "TERM")
        let output = try await process.output(upTo: "listening")
        let folder = output.split(separator: "listening ").last?.prefix { $0 != ";" } ?? ""
        authority = "\(folder)/server.pem"
    }

    func url(_ path: String = "/", host: String = "localhost") -> String { "https://\(host):\(port)\(path)" }

    func stop() async throws { try await process.stop() }
}
