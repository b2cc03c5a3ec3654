import Glibc

/// A regular file that is being sent; it closes itself.
package final class OpenFile: Sendable {
    let descriptor: Int32
    /// The length in bytes at the time it was opened.
    let size: Int
    /// The time of its content's last change: seconds since 1970, and nanoseconds.
    let modified: (second: Int, nanosecond: Int)
    /// The identity of the file and of its state.
    let identity: Identity

    /// The identity of a file, and of a state of it, which no other on this machine has: whoever changes the content,
    /// or the time of that change, changes the time of the last change of status, which nobody can set.
    struct Identity: Hashable {
        private let device, inode: UInt
        private let size, modified, modifiedNanosecond, changed, changedNanosecond: Int

        fileprivate init(_ status: stat) {
            (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
            (modified, modifiedNanosecond) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
            (changed, changedNanosecond) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
        }
    }

    /// A file that is longer stays open until its client has taken it.
    static let pieceSize = 64 * 1024

    private let budget: FileBudget

    /// The kind of entry that a descriptor is open for.
    enum Entry {
        case file(OpenFile)
        case folder

        var file: OpenFile? { if case .file(let file) = self { file } else { nil } }
    }

    /// Takes over a descriptor; nil when it is invalid, or of something that is neither a regular file nor a folder.
    /// Only a file stays open.
    /// - Throws: ``HTTPError`` with 503 when too many files are open; the descriptor is closed then, too.
    static func entry(_ descriptor: Int32, in budget: FileBudget) throws(HTTPError) -> Entry? {
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return status.st_mode & S_IFMT == S_IFDIR ? .folder : nil
        }
        guard budget.enter(isSlow: status.st_size > pieceSize) else {
            close(descriptor)
            throw .tooManyFiles
        }
        return .file(OpenFile(descriptor, status, budget))
    }

    private init(_ descriptor: Int32, _ status: stat, _ budget: FileBudget) {
        self.descriptor = descriptor
        self.budget = budget
        size = Int(status.st_size)
        modified = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        identity = Identity(status)
    }

    /// Whether the other's content has changed later.
    func isOlder(than other: OpenFile) -> Bool { modified < other.modified }

    /// The number of places that are left for other slow files.
    var placesLeft: Int { budget.slowPlacesLeft }

    /// Whether more than half of all places are taken.
    var placesRunShort: Bool { budget.runsShort }

    /// Fills memory with the bytes of a file from an offset on. It may block.
    package static func fill(
        _ memory: UnsafeMutableRawBufferPointer, from descriptor: Int32, at offset: Int
    ) throws(FileReadError) {
        var count = 0
        while count < memory.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            let more = pread(descriptor, rest.baseAddress, rest.count, offset + count)
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw FileReadError(code: more < 0 ? errno : 0) }
            count += more
        }
    }

    /// The bytes of a range of a file. It may block.
    /// - Throws: ``FileReadError``.
    static func bytes(_ range: Range<Int>, of descriptor: Int32) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: range.count) { memory, count in
            try fill(UnsafeMutableRawBufferPointer(memory), from: descriptor, at: range.lowerBound)
            count = range.count
        }
    }

    deinit {
        close(descriptor)
        budget.leave()
    }
}

/// A file could not be read to the end that it had when sending began.
package struct FileReadError: Error, CustomStringConvertible {
    /// The system's code (errno(3)); 0 if the file ends earlier.
    let code: Int32
    package var description: String {
        "A file could not be sent completely: \(code == 0 ? "it has become shorter" : String(cString: strerror(code)))."
    }
}
