import Glibc
import Synchronization

/// The template files below a folder, as they were when they were last looked at.
///
/// In development, `changed()` is called for each rendering, and the templates are read again when it says so. It
/// compares what the folder says of each file (path, time, size, inode), and reads none.
struct TemplateFolder: Sendable {
    /// One file, and what tells whether it is still the same.
    struct File: Sendable, Equatable {
        let name: String
        let path: String
        /// The time at which it was last written, in nanoseconds since 1970.
        let modified: Int
        let size: Int
        let inode: UInt64
    }

    let directory: String
    private(set) var files: [File]
    /// Whether any write from now on will show in a file's time.
    private var isSettled: Bool
    private let now: @Sendable () -> Int

    /// The depth to which folders are searched, and the most templates there may be. Deeper folders are skipped; more
    /// templates are an error.
    private static let (maximumDepth, maximumCount) = (32, 10_000)
    /// The most bytes that one template may have.
    private static let maximumSize = 4 << 20

    /// Looks at a folder.
    ///
    /// - Parameter now: The clock that the kernel stamps files with, in nanoseconds since 1970.
    /// - Throws: A ``TemplateError`` if it cannot be read, or has too many templates.
    init(
        _ directory: String, now: @escaping @Sendable () -> Int = TemplateFolder.stampClock
    ) throws(TemplateError) {
        self.directory = Self.plain(directory)
        self.now = now
        let time = now()
        files = try Self.list(self.directory)
        isSettled = Self.isSettled(files, at: time)
    }

    /// A path in its short form, for errors: `Templates` for `./Templates/`.
    private static func plain(_ path: String) -> String {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        return path.count > 2 && path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    }

    /// Whether a template was added, edited or removed since the last call (or since the start), or may have been.
    mutating func changed() throws(TemplateError) -> Bool {
        let time = now()
        let found = try Self.list(directory)
        defer { (files, isSettled) = (found, Self.isSettled(found, at: time)) }
        return found != files || !isSettled
    }

    /// Whether all files were written before the clock's present tick, which takes a few milliseconds. A file that is
    /// written again within a tick keeps its time, so the change would not show.
    private static func isSettled(_ files: [File], at time: Int) -> Bool { files.allSatisfy { $0.modified < time } }

    /// The time that a file would get if it were written now.
    static func stampClock() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time.nanoseconds
    }

    /// Reads all files.
    func sources() throws(TemplateErrors) -> [TemplateSource] {
        var sources: [TemplateSource] = []
        var errors: [TemplateError] = []
        for file in files {
            do throws(TemplateError) {
                sources.append(TemplateSource(name: file.name, file: file.path, bytes: try Self.read(file)))
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { throw TemplateErrors(errors: errors) }
        return sources
    }

    // MARK: Looking

    private static func list(_ directory: String) throws(TemplateError) -> [File] {
        var files: [File] = []
        var waiting = [(path: directory, prefix: "", depth: 0)]
        var seen: Set<[UInt]> = []
        while let folder = waiting.popLast() {
            for entry in try entries(of: folder.path) {
                let path = folder.path + "/" + entry
                var status = stat()
                guard stat(path, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR {
                    // A folder that is reached twice, through a link, is read once.
                    let isNew = seen.insert([status.st_dev, status.st_ino]).inserted
                    guard isNew, folder.depth < maximumDepth else { continue }
                    waiting.append((path, folder.prefix + entry + "/", folder.depth + 1))
                } else if status.st_mode & S_IFMT == S_IFREG, entry.hasSuffix(Templates.suffix) {
                    let name = folder.prefix + entry.dropLast(Templates.suffix.count)
                    files.append(File(name: name, path: path, status))
                }
            }
            guard files.count <= maximumCount else {
                throw TemplateError("\(directory): has more than \(maximumCount) templates: use a smaller folder")
            }
        }
        return files.sorted { $0.name < $1.name }
    }

    private static func entries(of path: String) throws(TemplateError) -> [String] {
        guard let folder = opendir(path) else {
            throw TemplateError("\(path): this folder cannot be read (\(reason())): create it or correct the path")
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func reason() -> String { String(cString: strerror(errno)) }

    // MARK: Reading

    private static func read(_ file: File) throws(TemplateError) -> [UInt8] {
        guard file.size <= maximumSize else {
            throw TemplateError("\(file.path): has more than \(maximumSize) bytes: split it into partials")
        }
        guard let stream = fopen(file.path, "r") else {
            throw TemplateError("\(file.path): cannot be read (\(reason())): correct its permissions")
        }
        defer { fclose(stream) }
        let bytes = [UInt8](unsafeUninitializedCapacity: file.size + 1) { room, count in
            count = fread(room.baseAddress, 1, room.count, stream)
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw TemplateError("\(file.path): is not UTF-8: save it with this encoding")
        }
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }
}

extension TemplateFolder.File {
    fileprivate init(name: String, path: String, _ status: stat) {
        self.init(
            name: name, path: path, modified: status.st_mtim.nanoseconds, size: Int(status.st_size),
            inode: UInt64(status.st_ino))
    }
}

extension timespec {
    fileprivate var nanoseconds: Int { tv_sec &* 1_000_000_000 &+ tv_nsec }
}

/// The templates of a folder, read again whenever a file in it has changed, for development.
///
/// A broken template fails every rendering until it is edited again. The output of an old version would only mislead.
/// In production there is no such object, and so no lock.
final class LiveTemplates: Sendable {
    private struct State {
        var folder: TemplateFolder
        var program: Result<TemplateProgram, any Error>
    }

    private let state: Mutex<State>
    private let compile: @Sendable ([TemplateSource]) throws -> TemplateProgram

    /// Starts with the folder as it was read, and with the program made of it.
    init(
        _ folder: TemplateFolder, _ program: TemplateProgram,
        compile: @escaping @Sendable ([TemplateSource]) throws -> TemplateProgram
    ) {
        state = Mutex(State(folder: folder, program: .success(program)))
        self.compile = compile
    }

    /// The templates as they are on disk now.
    ///
    /// - Throws: As `Templates.init(directory:)` does.
    func program() throws -> TemplateProgram {
        try state.withLock { state in
            if try state.folder.changed() {
                state.program = Result { try compile(state.folder.sources()) }
            }
            return try state.program.get()
        }
    }
}
