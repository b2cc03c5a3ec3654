import Glibc

/// A program that was started, and what it prints.
final class ChildProcess {
    private let id: pid_t
    /// The descriptor from which its output can be read; -1 if that goes to the terminal.
    let output: Int32

    /// Starts a program of the `PATH`.
    /// - Parameters:
    ///   - readsOutput: Whether its output is read from ``output``.
    ///   - socket: The socket that it gets as descriptor 3.
    init?(_ command: [String], readsOutput: Bool = false, socket: Int32? = nil) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var ends: [Int32] = [-1, -1]
        if readsOutput {
            guard pipe(&ends) == 0 else { return nil }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            // Who reads does not wait: there is other work than that of the program.
            _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
            posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
            posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
        }
        if let socket {
            posix_spawn_file_actions_adddup2(&actions, socket, 3)
            if socket != 3 { posix_spawn_file_actions_addclose(&actions, socket) }
        }
        let arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var id = pid_t()
        let code = posix_spawnp(&id, command[0], &actions, nil, arguments, environ)
        if readsOutput { close(ends[1]) }
        output = ends[0]
        self.id = id
        if code != 0 { return nil }
    }

    deinit { if output >= 0 { close(output) } }

    /// Asks it to end.
    func terminate() { kill(id, SIGTERM) }

    /// Waits until it has ended; returns its exit code.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return Self.code(status)
    }

    /// Its exit code; nil while it runs.
    func exitCode() -> Int32? {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG) == id ? Self.code(status) : nil
    }

    /// 128 and the signal's number for one that a signal has ended, as in a shell.
    private static func code(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
