import Glibc

extension statvfs {
    /// How many bytes an unprivileged process can still write to the file system.
    var freeBytes: Int { bytes(UInt64(f_bavail)) }

    /// How many bytes the file system has.
    var allBytes: Int { bytes(UInt64(f_blocks)) }

    private func bytes(_ blocks: UInt64) -> Int {
        let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: UInt64(f_frsize))
        return isTooMuch ? .max : Int(clamping: bytes)
    }
}
