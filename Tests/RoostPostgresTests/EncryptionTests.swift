import Glibc
import Processes
import RoostSQL
import Testing

@testable import RoostPostgres

/// TLS is libpq's own; what is tested is that it is used, and that bytes in its buffers are not lost.
@Suite(
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"),
    .enabled(if: access("/usr/bin/openssl", X_OK) == 0, "openssl is not installed: scripts/test --all installs it"),
    .timeLimit(.minutes(5))
)
struct EncryptionTests {
    /// A server with a self-signed certificate for `localhost`.
    private func encrypted() async throws -> PostgresServer {
        let server = try await PostgresServer()
        let script = """
            cd "$1/data" && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost -keyout server.key -out server.crt 2>&1
            chmod 600 server.key && chown --reference=PG_VERSION server.key server.crt && echo done
            """
        let process = try GuardedProcess(["sh", "-c", script, "sh", server.folder])
        _ = try await process.output(upTo: "done")
        try await process.stop()
        try await server.psql("ALTER SYSTEM SET ssl = on")
        try await server.stop()
        try await server.start()
        return server
    }

    @Test func `the certificate is verified, by the name in the URL`() async throws {
        let server = try await encrypted()
        let root = "sslmode=verify-full&sslrootcert=\(server.folder)/data/server.crt"
        let port = server.port
        try await Place.loop.run {
            func driver(_ host: String) throws -> PostgresDriver {
                let url = "postgres://roost:roost@\(host):\(port)/roost?\(root)"
                return try PostgresDriver(url, configuration: .patient, logger: .silent)
            }
            let database = Database(try driver("localhost"), configuration: .patient, logger: .silent)
            let own = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()" as SQL
            #expect(try await database.first(own, as: Bool.self) == true)
            for count in [1, 100, 5_000] {
                let texts = try await database.query(
                    "SELECT repeat('x', \(count)) FROM generate_series(1, 3000)",
                    as: String.self
                )
                #expect(texts.count == 3_000)
                #expect(texts.allSatisfy { $0.utf8.count == count })
            }
            await database.stop()
            let other = try driver("127.0.0.1")
            let error = await #expect(throws: DatabaseError.self) { try await Database(other, logger: .silent).ping() }
            #expect(text(error).contains("does not match host name"))
        }
    }
}
