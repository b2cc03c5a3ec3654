import Glibc
import HTTPTypes

// A path is walked one segment at a time from the folder's own descriptor, and no symbolic link is followed: whatever
// the path says, it cannot leave the folder. A segment that begins with a dot is treated as unknown, which covers `..`,
// `.git` and `.env` alike; only the first may be `.well-known`, which is there to be asked for (RFC 8615).

/// A folder whose files clients may ask for, open as long as this lives.
final class FileFolder: Sendable {
    let descriptor: Int32
    private let budget: FileBudget

    /// - Parameter budget: The budget that the files being sent count against.
    /// - Throws: ``StartError`` when the folder cannot be read.
    init(_ path: String, _ budget: FileBudget) throws(StartError) {
        descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        self.budget = budget
        guard descriptor >= 0 else {
            throw Self.unreadable(path, errno)
        }
    }

    /// The error for a folder that cannot be opened, or made.
    static func unreadable(_ path: String, _ code: Int32, to use: String = "read") -> StartError {
        let sentence = "The folder \(path) cannot be \(use) (\(String(cString: strerror(code))))"
        return switch code {
        case EMFILE, ENFILE, ENOMEM: .unavailable("\(sentence).")
        default: .configuration("\(sentence); create it, or correct its path.")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the file or folder at a path below this one; nil when clients may not have it, or there is nothing.
    /// - Throws: ``HTTPError`` with 503 when no file descriptor is left.
    func entry(at path: String) throws -> OpenFile.Entry? {
        // Bytes are split, as the system does: a slash after U+0600 is part of another `Character`, and would hide what
        // follows it from the check.
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isKnown = { (segment: Substring.UTF8View) in segment.first != UInt8(ascii: ".") && !segment.contains(0) }
        let isWellKnown = segments.first.map { $0.elementsEqual(".well-known".utf8) } ?? false
        guard segments.dropFirst(isWellKnown ? 1 : 0).allSatisfy({ !$0.isEmpty && isKnown($0) }) else { return nil }
        var parent = descriptor
        defer { if parent != descriptor { close(parent) } }
        for segment in segments.dropLast() {
            guard let child = try Self.open(segment, in: parent, O_DIRECTORY) else { return nil }
            if parent != descriptor { close(parent) }
            parent = child
        }
        guard let name = segments.last else { return nil }
        guard let child = try Self.open(name, in: parent, O_NONBLOCK) else { return nil }
        return try OpenFile.entry(child, in: budget)
    }

    /// The file at a path below the folder.
    func file(at path: String) throws -> OpenFile? {
        try entry(at: path)?.file
    }

    /// The reason why clients cannot have what is at a path that the program names; nil if there is nothing, or none is
    /// known.
    func obstacle(at path: String) -> String? {
        var place = ""
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            place += (place.isEmpty ? "" : "/") + String(Substring(segment))
            var status = stat()
            let isThere = fstatat(descriptor, place, &status, AT_SYMLINK_NOFOLLOW) == 0
            if isThere, status.st_mode & S_IFMT == S_IFLNK {
                return "\(place) is a symbolic link, and these are not followed"
            }
            if !isThere || faccessat(descriptor, place, R_OK, 0) != 0 {
                let code = errno
                return code == EACCES ? "\(place) cannot be read (\(String(cString: strerror(code))))" : nil
            }
        }
        return nil
    }

    /// The file at a path that the program has chosen; links are followed.
    static func file(chosenAt path: String) throws -> OpenFile? {
        let descriptor = path.utf8.contains(0) ? -1 : Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, let error = failure(errno) { throw error }
        return try OpenFile.entry(descriptor, in: .process)?.file
    }

    /// Opens what has a name in a folder; nil when nothing there can have this name.
    private static func open(_ name: Substring.UTF8View, in folder: Int32, _ flags: Int32) throws -> Int32? {
        let descriptor = openat(folder, String(Substring(name)), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        if descriptor < 0, let error = failure(errno) { throw error }
        return descriptor < 0 ? nil : descriptor
    }

    /// The error for a failed `openat(2)`; nil when the reason is the path itself.
    static func failure(_ code: Int32) -> (any Error)? {
        switch code {
        case ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, ENXIO, ENODEV: nil
        case EMFILE, ENFILE, ENOMEM: HTTPError.tooManyFiles
        default: FileOpenError(code: code)
        }
    }
}

/// A file could not be opened, and the reason is not its name.
struct FileOpenError: Error, CustomStringConvertible {
    let code: Int32
    var description: String { "A file could not be opened: \(String(cString: strerror(code)))." }
}

extension FileFolder {
    /// A file, or a compressed copy of it that the client takes and that is not older: `style.css.br`, `style.css.gz`.
    func best(_ plain: FileResponse, _ name: String, for request: Request) throws -> FileResponse {
        guard FileTypes.isCompressible(plain.contentType) else { return plain }
        var response = plain
        response.varies = true
        for coding in request.acceptedCodings {
            guard let copy = try file(at: "\(name).\(coding.suffix)"), !copy.isOlder(than: plain.file) else { continue }
            (response.file, response.coding) = (copy, coding)
            break
        }
        return response
    }
}

extension ContentCoding {
    /// The suffix of files in this coding.
    fileprivate var suffix: StaticString {
        switch self {
        case .brotli: "br"
        case .gzip: "gz"
        }
    }
}

extension FileFolder {
    /// The files of the folder that were last written at a time or before it. It blocks.
    /// - Parameter time: In seconds since 1970.
    func names(writtenUpTo time: Int) throws -> [String] {
        // A descriptor of its own, because reading moves it.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let folder = fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw FileOpenError(code: code)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_mtim.tv_sec <= time
            else { continue }
            names.append(name)
        }
        return names
    }
}
