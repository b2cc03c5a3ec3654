extension PostgresServer {
    /// Makes this server, which is not running, a copy of another one, which it will follow; its own data is lost.
    package func copy(_ primary: PostgresServer) async throws {
        // PostgreSQL's programs must not run as root.
        let script = """
            bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
            as=; [ "$(id -u)" -ne 0 ] || as='setpriv --reuid=postgres --regid=postgres --clear-groups --'
            [ -z "$as" ] || chown postgres "$1"
            cd "$1" && $as rm -rf data && $as "$bin/pg_basebackup" --host="$2" --port="$3" --username=roost \
                --pgdata=data --write-recovery-conf --checkpoint=fast --wal-method=stream --no-sync
            echo "exit code $?"
            """
        let process = try GuardedProcess(["sh", "-c", script, "sh", folder, primary.folder, "\(primary.port)"])
        let output = try await process.output(upTo: "exit code")
        try await process.stop()
        guard output.hasSuffix("exit code 0\n") else { throw ProcessError(code: "pg_basebackup", message: output) }
    }

    /// Lets a commit be acknowledged only when the copy has it, too; returns when that is in force.
    package func waitForCopy() async throws {
        try await psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try await psql("SELECT pg_reload_conf()")
        while try await psql("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") != "1\n" {
            try Task.checkCancellation()
        }
    }

    /// Makes a copy the primary.
    package func promote() async throws { try await psql("SELECT pg_promote()") }

    /// Stops or continues that a copy applies what the primary sends.
    package func setPaused(_ isPaused: Bool) async throws {
        try await psql("SELECT pg_wal_replay_\(isPaused ? "pause" : "resume")()")
        while isPaused, try await psql("SELECT pg_get_wal_replay_pause_state()") != "paused\n" {
            try Task.checkCancellation()
        }
    }
}
