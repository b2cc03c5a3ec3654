import Glibc
import Synchronization

/// The template files below a folder.
struct TemplateFolder: Sendable {
    private let directory: String

    /// The depth to which folders are searched, and the most templates there may be. Deeper folders are skipped; more
    /// templates are an error.
    private static let (maximumDepth, maximumCount) = (32, 10_000)
    /// The most bytes that one template may have.
    private static let maximumSize = 4 << 20

    /// - Parameter path: Its path, which errors show in its short form: `Templates` for `./Templates/`.
    init(_ path: String) {
        let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        directory = path.count > 2 && path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    }

    /// Reads all files, in the order of their names.
    /// - Throws: A ``TemplateError`` if the folder cannot be read, or has too many templates; ``TemplateErrors`` with
    ///   the files that cannot be read.
    func sources() throws -> [TemplateSource] {
        var sources: [TemplateSource] = []
        var errors: [TemplateError] = []
        for name in try names() {
            let file = directory + "/" + name + Templates.suffix
            do throws(TemplateError) {
                sources.append(TemplateSource(name: name, file: file, bytes: try Self.read(file)))
            } catch {
                errors.append(error)
            }
        }
        guard errors.isEmpty else { throw TemplateErrors(errors: errors) }
        return sources
    }

    // MARK: Looking

    private func names() throws(TemplateError) -> [String] {
        var names: [String] = []
        var waiting = [(name: "", depth: 0)]
        var seen: Set<[UInt]> = []
        while let folder = waiting.popLast() {
            for entry in try Self.entries(of: folder.name.isEmpty ? directory : directory + "/" + folder.name) {
                let name = folder.name.isEmpty ? entry : folder.name + "/" + entry
                var status = stat()
                guard stat(directory + "/" + name, &status) == 0 else {
                    let code = errno
                    // Such as a link to something that is gone.
                    if code == ENOENT || code == ELOOP { continue }
                    throw TemplateError("\(directory)/\(name): cannot be looked at (\(Self.reason(code)))")
                }
                if status.st_mode & S_IFMT == S_IFDIR {
                    // A folder that is reached twice, through a link, is read once.
                    let isNew = seen.insert([status.st_dev, status.st_ino]).inserted
                    guard isNew, folder.depth < Self.maximumDepth else { continue }
                    waiting.append((name, folder.depth + 1))
                } else if status.st_mode & S_IFMT == S_IFREG, entry.hasSuffix(Templates.suffix) {
                    names.append(String(name.dropLast(Templates.suffix.count)))
                }
            }
            guard names.count <= Self.maximumCount else {
                throw TemplateError("\(directory): has more than \(Self.maximumCount) templates: use a smaller folder")
            }
        }
        return names.sorted()
    }

    private static func entries(of path: String) throws(TemplateError) -> [String] {
        guard let folder = opendir(path) else {
            let code = errno
            let place = path.utf8.first == UInt8(ascii: "/") ? "" : "; the program runs in \(workingDirectory)"
            throw TemplateError("\(path): this folder cannot be read (\(reason(code))): \(advice(code))\(place)")
        }
        defer { closedir(folder) }
        return try entries(of: path, in: folder)
    }

    /// The names in an open folder, but those that begin with a dot.
    static func entries(of path: String, in folder: OpaquePointer) throws(TemplateError) -> [String] {
        var names: [String] = []
        while true {
            // This is how an error differs from the end (readdir(3)).
            errno = 0
            guard let entry = readdir(folder) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        let code = errno
        guard code == 0 else {
            throw TemplateError("\(path): this folder cannot be read to its end (\(reason(code)))")
        }
        return names
    }

    /// The advice for a folder that cannot be opened (`errno`).
    static func advice(_ code: Int32) -> String {
        code == EACCES ? "correct its permissions" : "create it or correct the path"
    }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "a folder that is gone" }
        defer { free(path) }
        return String(cString: path)
    }

    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

    // MARK: Reading

    private static func read(_ path: String) throws(TemplateError) -> [UInt8] {
        guard let bytes = SmallFile.bytes(of: path, atMost: maximumSize + 1) else {
            let code = errno
            let advice = code == EACCES ? ": correct its permissions" : ""
            throw TemplateError("\(path): cannot be read (\(reason(code)))\(advice)")
        }
        guard bytes.count <= maximumSize else {
            throw TemplateError("\(path): has more than \(maximumSize) bytes: split it into partials")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw TemplateError("\(path): is not UTF-8: save it with this encoding")
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
