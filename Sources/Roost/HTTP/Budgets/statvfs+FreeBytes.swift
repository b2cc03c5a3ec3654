import Glibc

extension statvfs {
    /// How many bytes an unprivileged process can still write to the file system.
    var freeBytes: Int {
        let (bytes, isTooMuch) = UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize))
        return isTooMuch ? .max : Int(clamping: bytes)
    }
}
