import Glibc
import Synchronization

/// The template files below a folder.
struct TemplateFolder: Sendable {
    struct File: Sendable {
        let name: String
        let path: String
        let size: Int
    }

    let directory: String
    let files: [File]

    /// The depth to which folders are searched, and the most templates there may be. Deeper folders are skipped; more
    /// templates are an error.
    private static let (maximumDepth, maximumCount) = (32, 10_000)
    /// The most bytes that one template may have.
    private static let maximumSize = 4 << 20

    /// Looks for the files.
    /// - Throws: A ``TemplateError`` if the folder cannot be read, or has too many templates.
    init(_ directory: String) throws(TemplateError) {
        self.directory = Self.plain(directory)
        files = try Self.list(self.directory)
    }

    /// A path in its short form, for errors: `Templates` for `./Templates/`.
    private static func plain(_ path: String) -> String {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        return path.count > 2 && path.hasPrefix("./") ? String(path.dropFirst(2)) : path
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
                    files.append(File(name: name, path: path, size: Int(status.st_size)))
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

/// The templates of a folder as they are on disk, for development: each rendering reads them, and compiles them again
/// when one is another than before.
///
/// A broken template fails every rendering until it is edited again. The output of an old version would only mislead.
/// In production there is no such object, and so no lock.
final class LiveTemplates: Sendable {
    private struct State {
        var sources: [TemplateSource]
        var program: Result<TemplateProgram, any Error>
    }

    private let directory: String
    private let state: Mutex<State>
    private let compile: @Sendable ([TemplateSource]) throws -> TemplateProgram

    /// Starts with the templates as they were read, and with the program made of them.
    init(
        _ directory: String, _ sources: [TemplateSource], _ program: TemplateProgram,
        compile: @escaping @Sendable ([TemplateSource]) throws -> TemplateProgram
    ) {
        self.directory = directory
        state = Mutex(State(sources: sources, program: .success(program)))
        self.compile = compile
    }

    /// The templates as they are on disk now.
    ///
    /// - Throws: As `Templates.init(directory:)` does.
    func program() throws -> TemplateProgram {
        let sources = try TemplateFolder(directory).sources()
        return try state.withLock { state in
            if sources != state.sources {
                state = State(sources: sources, program: Result { try compile(sources) })
            }
            return try state.program.get()
        }
    }
}
