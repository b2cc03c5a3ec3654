import Glibc
import Roost
import Synchronization

/// `scripts/dev`: builds a program after each edit, and restarts it on a listening socket that stays open.
@main
enum Develop {
    /// Set by SIGINT and SIGTERM.
    static let isEnding = Atomic(false)
    /// Set when a terminal has sent the signal, as at Ctrl-C, and so to the program, too.
    private static let isFromTerminal = Atomic(false)

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { fail("usage: Develop PACKAGE PRODUCT") }
        handleSignals()
        Glibc.signal(SIGPIPE, SIG_IGN)
        do throws(StartError) {
            let variables = try variables(of: arguments[1])
            let socket = try listen(variables)
            let workshop = Workshop(
                package: arguments[1], product: arguments[2], socket: socket, variables: variables)
            while !isEnding.load(ordering: .relaxed) { workshop.step() }
            workshop.end(isTold: isFromTerminal.load(ordering: .relaxed))
        } catch {
            fail(error.description)
        }
    }

    private static func handleSignals() {
        // Made before the handler uses them.
        _ = (isEnding.load(ordering: .relaxed), isFromTerminal.load(ordering: .relaxed))
        var action = sigaction()
        action.__sigaction_handler.sa_sigaction = { _, info, _ in
            // Above 0 if the kernel has sent it, and not a process (sigaction(2)).
            if let info, info.pointee.si_code > 0 { Develop.isFromTerminal.store(true, ordering: .relaxed) }
            Develop.isEnding.store(true, ordering: .relaxed)
        }
        action.sa_flags = SA_SIGINFO | SA_RESTART
        for signal in [SIGINT, SIGTERM] { sigaction(signal, &action, nil) }
    }

    /// The variables that a program of the package has: this process's, and those of its `.env`.
    static func variables(
        of package: String, _ own: [String: String] = ProcessEnvironment.variables
    ) throws(StartError) -> [String: String] {
        try EnvironmentFile.adding(package + "/.env", to: own)
    }

    /// A socket that listens where the program would.
    static func listen(_ variables: [String: String]) throws(StartError) -> Int32 {
        try ServerConfiguration(environment: variables).listen()
    }

    static func fail(_ text: String) -> Never {
        let line = "scripts/dev: \(text)\n"
        write(STDERR_FILENO, line, line.utf8.count)
        exit(1)
    }
}
