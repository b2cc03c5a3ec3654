import FoundationEssentials
import Glibc
import RoostTesting
import Synchronization

/// A child process that, with everything that it starts, never outlives this process.
///
/// A shell is in between, whose standard input is tied to this process. It closes when ``stop()`` is called, when the
/// object is released, and when the test process crashes. Then the shell kills the child's process group by its number
/// and removes the directory for its temporary files. So no failing test leaves a process running.
package final class GuardedProcess: Sendable {
    // `setsid` makes the child the leader of a new process group. The shell closes the output, so that it ends with the
    // child; and it waits before it removes the directory, so that nothing still writes there.
    private static let script = """
        ending=$1; shift
        setsid "$@" </dev/null & child=$!
        exec >/dev/null
        cat
        kill -$ending -$child || kill -$ending $child
        wait $child
        kill -KILL -$child
        rm -rf "$TMPDIR"
        """

    private let shell: pid_t
    private let lifeline: Mutex<Int32?>
    private let output: Int32

    /// Starts a program of the `PATH` with its standard error discarded.
    /// - Parameters:
    ///   - ending: The signal that ends it: a child that handles another signal than `KILL` must end when it gets it.
    ///   - descriptor: The descriptor that it gets as number 3; nil for none.
    package init(_ command: [String], ending: String = "KILL", inheriting descriptor: Int32? = nil) throws {
        let (lifeline, input) = try Self.pair()
        defer { close(input) }
        let (output, childOutput) = try Self.pair()
        defer { close(childOutput) }
        let command = ["sh", "-c", Self.script, "sh", ending] + command
        shell = try Self.spawn(command, input: input, output: childOutput, descriptor)
        self.lifeline = Mutex(lifeline)
        self.output = output
    }

    deinit {
        if cut() {
            let shell = shell
            _ = BlockingThread.start { _ = waitpid(shell, nil, 0) }
        }
        close(output)
    }

    /// Kills the child and its whole group, and returns when that is done.
    package func stop() async throws {
        guard cut() else { return }
        let shell = shell
        try await BlockingThread.run { _ = waitpid(shell, nil, 0) }
    }

    /// The child's output up to the end of the first line that contains `marker`; it may be silent for five minutes.
    package func output(upTo marker: String) async throws -> String {
        try await BlockingThread.run { [self] in
            var text = ""
            while !(text.contains(marker) && text.hasSuffix("\n")) {
                let part = try readOutput()
                guard !part.isEmpty else { throw ProcessError(code: "the process ended", message: text) }
                text += part
            }
            return text
        }
    }

    private func readOutput() throws -> String {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        var silence = 0
        while poll(&entry, 1, 100) <= 0 {
            try BlockingThread.checkCancellation()
            silence += 1
            guard silence < 3_000 else {
                throw ProcessError(code: "the process does not speak", message: "nothing for five minutes")
            }
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: 4_096) { space, count in
            count = max(0, read(output, space.baseAddress, space.count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func cut() -> Bool {
        guard let number = lifeline.withLock({ $0.take() }) else { return false }
        return close(number) == 0
    }

    /// The two ends of a stream.
    ///
    /// A pipe would do if its descriptors were closed on exec from the start. As it is, a browser that another test
    /// starts at this moment would keep this process's lifeline open.
    private static func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw ProcessError(code: "socketpair failed", message: String(cString: strerror(errno)))
        }
        return (ends[0], ends[1])
    }

    /// Descriptors that the tests got from whoever started them would count in a child's limit of files.
    private static let keepsItsOwn: Void = {
        for descriptor in Int32(3)..<256 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    }()

    private static func spawn(
        _ command: [String],
        input: Int32,
        output: Int32,
        _ inherited: Int32?
    ) throws -> pid_t {
        _ = keepsItsOwn
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if let inherited { posix_spawn_file_actions_adddup2(&actions, inherited, 3) }

        // A separate process group: Ctrl-C reaches the tests, and the shell notices when they end.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
        posix_spawnattr_setpgroup(&attributes, 0)
        // The threads that run Swift's tasks block signals, which a child would inherit: a shell would then wait
        // forever.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)

        var environment = try Self.environment(ProcessInfo.processInfo.environment)
        environment["TMPDIR"] = try temporaryDirectory()
        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawnp(&process, "sh", &actions, &attributes, arguments, variables)
        guard code == 0 else { throw ProcessError(code: "cannot start sh", message: String(cString: strerror(code))) }
        return process
    }

    /// What a child inherits of the tests' environment.
    ///
    /// No setting of the site: a site of a test would use the database of whoever runs the tests. And messages are in
    /// the same language everywhere, also where the machine lacks the language of whoever has signed in.
    package static func environment(_ variables: [String: String]) throws -> [String: String] {
        let settings = try ExampleSettings.variables()
        var inherited = variables.filter { settings[$0.key] == nil && $0.key != "LANGUAGE" }
        inherited["LC_ALL"] = "C.UTF-8"
        return inherited
    }

    private static func temporaryDirectory() throws -> String {
        let base = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
        var template = Array("\(base)/roost-process-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw ProcessError(code: "mkdtemp failed", message: String(cString: strerror(errno)))
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
