import Glibc
import Synchronization

/// The file `.env` of a developer: variables for this program alone, one on a line.
///
///     # PostgreSQL on this machine
///     DATABASE_URL=postgres://localhost/site
///     SECRET_KEY="…"
///
/// It is read in development only, and variables that the process already has take precedence.
public enum EnvironmentFile {
    private static let loaded = Mutex<Set<String>>([])

    /// The variables that ``load(_:)`` has set.
    public static var names: Set<String> { loaded.withLock { $0 } }

    /// Sets those variables of a file that the process does not have yet, if it runs in development (``Environment``).
    /// A missing file is not an error. Call this first of all, before other threads run.
    /// - Throws: ``StartError/configuration(_:)`` for a line that cannot be read, with its number, for a file that is
    ///   there and cannot be read, and for one that would switch to production.
    public static func load(_ path: String = ".env") throws(StartError) {
        for (name, value) in try missing(from: ProcessEnvironment.variables, in: path) where getenv(name) == nil {
            setenv(name, value, 0)
            loaded.withLock { _ = $0.insert(name) }
        }
    }

    /// The variables of a process with those of a file that it does not have, as ``load(_:)`` would set them.
    package static func adding(
        _ path: String, to variables: [String: String]
    ) throws(StartError) -> [String: String] {
        try variables.merging(missing(from: variables, in: path)) { first, _ in first }
    }

    private static func missing(
        from variables: [String: String], in path: String
    ) throws(StartError) -> [(String, String)] {
        guard (try? Environment(variables)) == .development, let bytes = try contents(of: path) else { return [] }
        let text = String(decoding: bytes, as: UTF8.self)
        return try self.variables(in: text, of: path, beside: variables).filter { variables[$0.name] == nil }
    }

    /// The bytes of a file; nil if there is none, or if its folder may not be searched.
    private static func contents(of path: String) throws(StartError) -> [UInt8]? {
        var facts = stat()
        let isFound = stat(path, &facts) == 0
        guard isFound || errno != ENOENT && errno != EACCES else { return nil }
        let isFolder = isFound && facts.st_mode & S_IFMT == S_IFDIR
        if !isFolder, let bytes = SmallFile.bytes(of: path, atMost: 1 << 20) { return bytes }
        let code = isFolder ? EISDIR : errno
        throw .configuration(
            """
            \(path) cannot be read (\(String(cString: strerror(code)))): make it a file that the program's user may \
            read, or remove it.
            """)
    }

    /// The variables of a text, of two lines with one name the last. A name may stand after `export`; a value may stand
    /// in quotes, with a comment behind it, and is otherwise taken as it is, without blanks around it.
    /// - Parameter own: The variables that the process has.
    static func variables(
        in text: String, of path: String, beside own: [String: String] = [:]
    ) throws(StartError) -> [(name: String, value: String)] {
        var variables: [(name: String, value: String)] = []
        // Some editors begin a file with U+FEFF.
        let bytes = text.utf8.dropFirst(text.utf8.starts(with: "\u{FEFF}".utf8) ? 3 : 0)
        for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            var line = Substring(line).trimmingBlanks()
            if line.utf8.last == 13 { line = line.dropLast().trimmingBlanks() }
            if line.isEmpty || line.utf8.first == UInt8(ascii: "#") { continue }
            if line.hasPrefix("export ") { line = line.dropFirst("export ".count).trimmingBlanks() }
            guard let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) else { throw noVariable(path, index) }
            let name = line[..<equals].trimmingBlanks()
            guard isName(name.utf8) else { throw noVariable(path, index) }

            let value = line[line.utf8.index(after: equals)...].trimmingBlanks()
            variables.removeAll { $0.name == name }
            variables.append((String(name), unquoted(value)))
        }
        if let setting = production(variables, own) {
            throw .configuration("\(path) says \(setting), but only development reads it; set it outside.")
        }
        return variables
    }

    /// The setting of a file that is for production; nil without one.
    private static func production(_ variables: [(name: String, value: String)], _ own: [String: String]) -> String? {
        if variables.contains(where: { $0.name == "ROOST_ENV" && $0.value == "production" }) {
            return "ROOST_ENV=production"
        }
        let all = own.merging(variables.map { ($0.name, $0.value) }) { first, _ in first }
        return (try? Environment(all)) == .production ? "TLS=auto, which means production" : nil
    }

    private static func noVariable(_ path: String, _ index: Int) -> StartError {
        .configuration("\(path) has no variable on line \(index + 1); write NAME=value, or # before it.")
    }

    private static func isName(_ name: Substring.UTF8View) -> Bool {
        guard let first = name.first, !first.isDigit else { return false }
        return name.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    }

    private static func unquoted(_ value: Substring) -> String {
        guard let quote = value.utf8.first, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(quote) else {
            return String(value)
        }
        let inner = value.utf8.dropFirst()
        if let end = inner.firstIndex(of: quote) {
            let rest = Substring(inner[end...].dropFirst())
            let note = rest.trimmingBlanks()
            let isNote = note.utf8.first == UInt8(ascii: "#") && note.utf8.count < rest.utf8.count
            if rest.isEmpty || isNote { return String(Substring(inner[..<end])) }
        }
        // Other quotes are part of the value.
        return inner.last == quote ? String(Substring(inner.dropLast())) : String(value)
    }
}
