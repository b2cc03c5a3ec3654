@preconcurrency import Glibc
import Roost

/// The output of a command, which is lost without a word unless somebody looks.
enum StandardOutput {
    /// Opens those of the descriptors 0 to 2 that are closed, so that they can be used for nothing: otherwise a file or
    /// a connection could get the number 1, and the output would be written there. libdispatch may have taken the first
    /// ones before.
    static func keepDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes what is left of the output. If its reader has left, as in `App routes | head`, ends the process without a
    /// word, with the code that a shell gives for SIGPIPE: a library may have let it ignore that signal.
    /// - Throws: `StartError.unavailable` if any of the output could not be written.
    static func finish() throws(StartError) {
        let isFlushed = fflush(stdout) == 0
        let code = errno
        if isFlushed, ferror(stdout) == 0 { return }
        if !isFlushed, code == EPIPE { exit(128 + SIGPIPE) }
        let reason = isFlushed ? "" : ": \(String(cString: strerror(code)))"
        throw .unavailable("The output could not be written\(reason).")
    }
}
