import Glibc

/// A terminal that does not show what is typed: until that is done, or until a signal such as that of Ctrl-C ends the
/// program. Not every shell makes a terminal show it again.
enum HiddenTyping {
    /// The terminal as it was. The handler of a signal takes it from here. As with `@unchecked Sendable`, the compiler
    /// trusts the code: it is written before the handler is installed, and only read after that.
    private nonisolated(unsafe) static let shown = UnsafeMutablePointer<termios>.allocate(capacity: 1)

    static func during<Value>(_ body: () throws -> Value) rethrows -> Value {
        // Made before the handler uses it.
        let shown = shown
        tcgetattr(STDIN_FILENO, shown)
        let before = [SIGINT, SIGTERM, SIGHUP, SIGQUIT].map { ($0, show(at: $0)) }
        var hidden = shown.pointee
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, shown)
            for (signal, var action) in before { sigaction(signal, &action, nil) }
        }
        return try body()
    }

    /// Has a signal show what is typed before it ends the program, and returns what it did until now. One that is
    /// ignored or handled stays as it is.
    private static func show(at signal: Int32) -> sigaction {
        var (before, action) = (sigaction(), sigaction())
        sigaction(signal, nil, &before)
        guard unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 0 else { return before }
        // Both functions may be called in a handler (signal-safety(7)). The signal comes again when it has ended.
        action.__sigaction_handler.sa_handler = { signal in
            tcsetattr(STDIN_FILENO, TCSAFLUSH, HiddenTyping.shown)
            raise(signal)
        }
        action.sa_flags = CInt(truncatingIfNeeded: SA_RESETHAND)
        sigaction(signal, &action, nil)
        return before
    }
}
