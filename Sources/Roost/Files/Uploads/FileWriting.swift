import Glibc

/// Writes to files, to the last byte.
enum FileWriting {
    /// Writes all bytes at an offset. It may block.
    /// - Throws: ``HTTPError`` with 507 when there is no room (RFC 4918 §11.5); ``FileWriteError``.
    static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws {
        try bytes.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let more = pwrite(descriptor, rest.baseAddress, rest.count, offset + written)
                if more < 0, errno == EINTR { continue }
                guard more > 0 else { throw error(more < 0 ? errno : ENOSPC) }
                written += more
            }
        }
    }

    /// The number of bytes of a file system that uploads leave to others, such as a database: twice of what
    /// ``HealthCheck/diskSpace(_:atLeast:)`` asks for, so that no upload makes an instance unready.
    static let reserve = 128 << 20

    /// Makes sure that so many bytes can be written to a file system, and that a reserve is then left. It may block.
    /// - Parameters:
    ///   - descriptor: Any file of it.
    ///   - reserve: Returns the number of bytes to leave, from a file system's own figures.
    /// - Throws: ``HTTPError`` with 507 when there is no room; ``FileWriteError``.
    static func checkRoom(for count: Int, at descriptor: Int32, leaving reserve: (statvfs) -> Int) throws {
        var facts = statvfs()
        guard fstatvfs(descriptor, &facts) == 0 else { throw FileWriteError(code: errno) }
        guard count <= facts.freeBytes - reserve(facts) else { throw noRoom }
    }

    /// The error for a failed system call: 507 without room, 503 without a descriptor, or ``FileWriteError``.
    /// - Parameter folder: The folder in which no temporary file could be made, if that has failed.
    static func error(_ code: Int32, temporaryIn folder: String? = nil) -> any Error {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: noRoom
        case EMFILE, ENFILE, ENOMEM: HTTPError.tooManyFiles
        default: FileWriteError(code: code, folder: folder)
        }
    }

    /// The error for a file that is too large for what is left (RFC 4918 §11.5).
    static var noRoom: HTTPError {
        HTTPError(.init(code: 507, reasonPhrase: "Insufficient Storage"), "There is no room for the file here.")
    }
}

/// A file could not be written.
struct FileWriteError: Error, CustomStringConvertible {
    let code: Int32
    /// The folder in which no temporary file could be made; nil for any other file.
    var folder: String?

    var description: String {
        let reason = String(cString: strerror(code))
        guard let folder else { return "A file could not be written: \(reason)." }
        return "No temporary file can be made in \(folder) (\(reason)): set TMPDIR to a folder that can be written."
    }
}
