import Glibc

/// PgBouncer in front of a server, with its own folder. It gives each of its clients a session with the server for one
/// transaction.
package final class Pooler: Sendable {
    private let port: Int
    private let process: GuardedProcess

    /// Whether PgBouncer is installed; it is not on an ordinary user's `PATH`.
    package static let isInstalled = program != nil

    private static let program: String? = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first { access($0, X_OK) == 0 }

    /// Starts it, and waits until it listens.
    /// - Parameter sessions: How many sessions with the server its clients share.
    package init(before server: PostgresServer, sessions: Int) async throws {
        guard let program = Self.program else { throw ProcessError(code: "pgbouncer", message: "is not installed") }
        port = try FreePort.next()
        let configuration = """
            [databases]
            * = host=127.0.0.1 port=\(server.port)
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = \(port)
            unix_socket_dir =
            auth_type = plain
            auth_file = FOLDER/users
            pool_mode = transaction
            max_client_conn = 500
            default_pool_size = \(sessions)
            """
        let script = """
            cd "$TMPDIR"
            printf '%s' "$2" | sed "s|FOLDER|$TMPDIR|g" >pgbouncer.ini
            echo '"roost" "roost"' >users
            { until (exec 3<>/dev/tcp/127.0.0.1/$3) 2>/dev/null; do sleep 0.05; done; echo listening; } &
            as=
            if [ "$(id -u)" -eq 0 ]; then
                as='setpriv --reuid=postgres --regid=postgres --clear-groups --'
                chown postgres . users pgbouncer.ini
            fi
            exec $as "$1" --quiet pgbouncer.ini
            """
        process = try GuardedProcess(["bash", "-c", script, "bash", program, configuration, "\(port)"], ending: "INT")
        _ = try await process.output(upTo: "listening")
    }

    /// The URL of a database, through the pooler.
    package func url(_ database: String = "roost") -> String {
        "postgres://roost:roost@127.0.0.1:\(port)/\(database)"
    }

    package func stop() async throws { try await process.stop() }
}
