import Glibc

extension SystemError: ExitError {
    /// 69: the system has no thread or file descriptor left; the next start may find one.
    package var exitCode: Int32 { EX_UNAVAILABLE }
}
