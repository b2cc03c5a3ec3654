import Glibc

extension SystemError: ExitError {
    /// 69: the system has no thread or file descriptor left, which the next start may find.
    package var exitCode: Int32 { EX_UNAVAILABLE }
}
