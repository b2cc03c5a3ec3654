import Glibc

extension statvfs {
    /// The number of bytes that an unprivileged process can still write to the file system.
    var freeBytes: Int { bytes(UInt64(f_bavail)) }

    /// The size of the file system, in bytes.
    var allBytes: Int { bytes(UInt64(f_blocks)) }

    private func bytes(_ blocks: UInt64) -> Int {
        let (bytes, isTooMuch) = blocks.multipliedReportingOverflow(by: UInt64(f_frsize))
        return isTooMuch ? .max : Int(clamping: bytes)
    }
}
