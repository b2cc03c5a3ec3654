import Glibc
import Synchronization

// One thread that waits for files to change, for the compiler, and for the program. While a build is under way nobody
// accepts connections, so a browser waits. If it fails, this process accepts them and shows why.

/// A package that somebody works on.
final class Workshop {
    private let package: String
    private let product: String
    private let socket: Int32
    private let variables: [String: String]
    private let watch: SourceWatch
    /// The path of the file that running programs watch; see `LiveReload`.
    private let reloadFile: String
    private var build: ChildProcess?
    private var output: [UInt8] = []
    private var program: ChildProcess?
    /// Whether the program has been told to end as soon as it was started.
    private var isTold = false
    /// Programs that have been told to end.
    private var leaving: [ChildProcess] = []
    private var failure: FailurePage?
    private var needsBuild = true
    private var start = ContinuousClock.now

    /// - Parameters:
    ///   - socket: The socket that its programs get, one after the other.
    ///   - variables: Those of its programs.
    init(package: String, product: String, socket: Int32, variables: [String: String]) {
        self.package = package
        self.product = product
        self.socket = socket
        self.variables = variables
        watch = SourceWatch(package)
        reloadFile = package + "/.build/reload"
    }

    /// Waits until something happens, half a second at most, and does what follows from it.
    func step() {
        if let mistake = watch.mistake {
            end()
            Develop.fail(mistake)
        }
        if needsBuild, build == nil { beginBuild() }
        var entries = [pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)]
        if let build { entries.append(pollfd(fd: build.output, events: Int16(POLLIN), revents: 0)) }
        if let failure { entries += failure.entries }
        guard poll(&entries, nfds_t(entries.count), 500) >= 0 else { return }
        if entries[0].revents != 0 { lookAtChanges() }
        if build != nil { readOutput() }
        failure?.serve()
        leaving.removeAll { $0.exitCode() != nil }
        if build == nil, failure == nil, let code = program?.exitCode() {
            program = nil
            let reason = "The program has ended with exit code \(code). The terminal says why; it starts after an edit."
            say(reason)
            failure = FailurePage(socket, title: "The program has ended", lines: [reason], variables: variables)
        }
    }

    private func lookAtChanges() {
        // Editors write several files, or one in several steps.
        usleep(30_000)
        switch Answer(to: watch.changes(), hasProgram: program != nil, isBuilding: build != nil) {
        case .build: needsBuild = true
        case .reload:
            guard let file = fopen(reloadFile, "a") else { return }
            // The size is what tells one state of the files from another.
            fputs("changed\n", file)
            fclose(file)
        case .nothing: break
        }
    }

    /// The answer to changes.
    enum Answer {
        case build
        /// Browsers load their page again.
        case reload
        case nothing

        /// A file may be what has kept the program from starting, and one that is being built reads it at its start.
        init(to changes: Set<SourceWatch.Change>, hasProgram: Bool, isBuilding: Bool) {
            self =
                if changes.contains(.code) {
                    .build
                } else if !changes.contains(.file) {
                    .nothing
                } else if hasProgram {
                    .reload
                } else {
                    isBuilding ? .nothing : .build
                }
        }
    }

    private func beginBuild() {
        needsBuild = false
        start = .now
        // It takes no more connections: they wait for its successor.
        program?.terminate()
        leaving += [program].compactMap { $0 }
        program = nil
        failure = nil
        output = []
        build = ChildProcess(
            ["swift", "build", "--package-path", package, "--product", product], readsOutput: true)
        if build == nil { Develop.fail("cannot start swift.") }
    }

    private func readOutput() {
        guard let build else { return }
        var space = [UInt8](repeating: 0, count: 65_536)
        let count = read(build.output, &space, space.count)
        if count > 0 {
            output += space[..<count]
            write(STDOUT_FILENO, space, count)
        }
        guard count == 0 else { return }
        self.build = nil
        let code = build.wait()
        // Edits in the meantime may lead to another outcome.
        guard !needsBuild else { return }
        if code == 0 { return run() }
        let lines = BuildErrors.lines(in: String(decoding: output, as: UTF8.self), package: package)
        failure = FailurePage(socket, title: "The build has failed", lines: lines, variables: variables)
    }

    /// Starts the program that has been built.
    private func run() {
        if let file = fopen(reloadFile, "w") { fclose(file) }
        // The id that names the program as the one the socket is for is known only to itself.
        let script = """
            cd "$1" && RELOAD_FILE=$2 LISTEN_FDS=1 LISTEN_PID=$$ exec "$3"
            """
        let path = package + "/.build/debug/" + product
        program = ChildProcess(["sh", "-c", script, "sh", package, reloadFile, path], socket: socket)
        // A signal that a terminal sent before has not reached it.
        if Develop.isEnding.load(ordering: .relaxed) {
            program?.terminate()
            isTold = true
        }
        say("Built and started in \(seconds(start.duration(to: .now))) s.")
    }

    private func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration / .milliseconds(100)).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func say(_ text: String) {
        let line = "— \(text)\n"
        write(STDOUT_FILENO, line, line.utf8.count)
    }

    /// Ends what is running, and waits for the program.
    /// - Parameter isTold: Whether the program has got a signal already: a second one would end it at once.
    func end(isTold: Bool = false) {
        build?.terminate()
        if !isTold && !self.isTold { program?.terminate() }
        _ = program?.wait()
    }
}
