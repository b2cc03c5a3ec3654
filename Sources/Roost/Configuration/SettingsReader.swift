import Synchronization

/// A reader of a program's settings, which records the value of each, where it comes from, and all mistakes.
///
///     var reader = SettingsReader()
///     let limit = reader.read(Setting<Int>("PICTURE_LIMIT", default: 5, in: 1...100))
///     let server = ServerConfiguration(reading: &reader)
///     try reader.check()      // all mistakes in one error
public struct SettingsReader: Sendable {
    /// The source of a setting's value.
    package enum Origin: String, Sendable, Codable {
        /// A variable of the process.
        case environment
        /// A line of `.env`, in development.
        case file = ".env"
        /// The default, since nobody has set the value.
        case `default`
    }

    /// A setting as it is in force.
    package struct Entry: Sendable, Codable, Equatable {
        /// The name of the environment variable.
        package let name: String
        /// The value as text, or that of the default; secrets are masked.
        package let value: String
        /// The source of the value.
        package let origin: Origin
    }

    private static let lastChecked = Mutex<[String: Entry]>([:])
    /// The names that any reader of this process has read.
    private static let namesRead = Mutex<Set<String>>([])

    /// The settings that this process has read and checked so far, by their names, for the window of development; none
    /// in production.
    static var checked: [Entry] { lastChecked.withLock { $0.values.sorted { $0.name < $1.name } } }

    /// All variables.
    public let variables: [String: String]
    /// The settings that have been read, in that order.
    package private(set) var entries: [Entry] = []
    private let file: Set<String>
    private var mistakes: [String] = []

    /// Creates a reader of environment variables.
    /// - Parameters:
    ///   - variables: By default, the process's.
    ///   - file: The names of those that come from `.env`; by default, those that ``EnvironmentFile`` has set.
    public init(
        _ variables: [String: String] = ProcessEnvironment.variables, file: Set<String> = EnvironmentFile.names
    ) {
        self.variables = variables
        self.file = file
    }

    /// The value of a setting. If it cannot be used, this is the default, and ``check()`` names the mistake.
    public mutating func read<Value>(_ setting: Setting<Value>) -> Value {
        guard let text = text(setting.name) else {
            note(setting.name, setting.write(setting.default), isSecret: setting.isSecret)
            return setting.default
        }
        note(setting.name, text, isSecret: setting.isSecret)
        if let value = setting.read(text) { return value }
        addError(setting.mistake(text))
        return setting.default
    }

    /// Reads a setting with a function of its own; nil if that throws, as it does for an invalid value.
    /// - Parameters:
    ///   - name: The variable.
    ///   - textIfUnset: The text to show for the variable if it is not set.
    public mutating func read<Value>(
        _ name: String, default textIfUnset: String = "", isSecret: Bool = false,
        _ body: ([String: String]) throws(StartError) -> Value
    ) -> Value? {
        note(name, text(name) ?? textIfUnset, isSecret: isSecret)
        do throws(StartError) {
            return try body(variables)
        } catch {
            addError(error.description)
            return nil
        }
    }

    /// Reads a setting with a function of its own, if it is set; nil if it is not, or if the function throws.
    /// - Parameter body: Makes the value of the text.
    public mutating func read<Value>(
        ifSet name: String, isSecret: Bool = false, _ body: (String) throws(StartError) -> Value?
    ) -> Value? {
        let value = read(name, isSecret: isSecret) { (variables) throws(StartError) -> Value? in
            guard let text = variables[name], !text.isEmpty else { return nil }
            return try body(text)
        }
        return value ?? nil
    }

    /// Adds an error: a sentence about settings that do not fit together, which ``check()`` throws with the others.
    public mutating func addError(_ message: String) {
        if !mistakes.contains(message) { mistakes.append(message) }
    }

    /// Ends the reading, and refuses the start if anything was wrong.
    /// - Throws: ``StartError/configuration(_:)`` with a sentence for each value that cannot be used, one on a line,
    ///   and for each unknown variable whose name begins with `ROOST_`.
    public func check() throws(StartError) {
        if (try? Environment(variables)) == .development {
            Self.lastChecked.withLock { checked in
                for entry in entries { checked[entry.name] = entry }
            }
        }
        let all = mistakes + unknown
        if !all.isEmpty { throw .configuration(all.joined(separator: "\n")) }
    }

    /// `ROOST_` is the framework's: a name with it that nothing reads is a misprint, unless it is about a Service.
    private var unknown: [String] {
        let known = Set(entries.map(\.name)).union(["ROOST_ENV"])
        let names = variables.keys.filter { $0.hasPrefix("ROOST_") && !known.contains($0) }
        // Of a Service named roost, Kubernetes tells its pods ROOST_SERVICE_HOST, ROOST_PORT, ROOST_PORT_80_TCP, ….
        let services = names.filter { $0.hasSuffix("_SERVICE_HOST") }.map { $0.dropLast("SERVICE_HOST".count) }
        let misprints = names.filter { name in
            !services.contains { name.hasPrefix("\($0)SERVICE_") || name.hasPrefix("\($0)PORT") }
        }
        return misprints.sorted().map { name in
            // ROOST_PORT is a mistake for PORT as well as ROOST_EVN for ROOST_ENV.
            let bare = String(name.dropFirst("ROOST_".count))
            let meant = known.contains(bare) ? bare : ClosestName(to: name).among(known.sorted())
            let advice = meant.map { "did you mean \($0)?" } ?? "remove it."
            return "\(name) is not a setting; \(advice)"
        }
    }

    /// A name that may be a misspelt setting. It is no mistake, since libraries and other programs have variables, too.
    package struct Remark: Sendable {
        /// The sentence for whoever has set it.
        package let sentence: String
        /// Whether the name is nearly a setting.
        package let isClose: Bool
    }

    /// The names that nothing has read and that are in `.env`, or nearly one of the settings that this reader has read;
    /// in the environment, which others fill, only long names are taken for misspelt.
    package var remarks: [Remark] {
        let known = entries.map(\.name).sorted()
        let read = Self.namesRead.withLock { $0 }.union(known)
        return variables.keys.sorted().compactMap { name in
            let isOfFile = file.contains(name)
            guard !read.contains(name), !name.hasPrefix("ROOST_"), isOfFile || name.utf8.count >= 8 else {
                return nil
            }
            // Not more, since containers have HOSTNAME and DATABASE_USER, two and three edits from settings. But of
            // TRUSTED_PROXIES, the singular is three edits away.
            let most = name.utf8.count < 10 ? 1 : 2
            let plural = name.dropLast() + "IES"
            if let meant = known.first(where: { $0 == plural }) ?? ClosestName(to: name).among(known, within: most) {
                return Remark(sentence: "\(name) is not a setting; did you mean \(meant)?", isClose: true)
            }
            guard isOfFile else { return nil }
            return Remark(sentence: "\(name) in .env is none of the settings that config lists.", isClose: false)
        }
    }

    private func text(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    private static let mask = "********"

    private mutating func note(_ name: String, _ text: String, isSecret: Bool) {
        Self.namesRead.withLock { _ = $0.insert(name) }
        let isSet = self.text(name) != nil
        let origin: Origin = !isSet ? .default : file.contains(name) ? .file : .environment
        // One of several readers is enough to make it a secret.
        let isSecret = isSecret || entries.contains { $0.name == name && $0.value == Self.mask }
        let value = isSecret && !text.isEmpty ? Self.mask : Self.withoutPassword(text)
        let entry = Entry(name: name, value: value, origin: origin)
        // A setting that is read again is listed once, as its last reader takes it.
        if let index = entries.firstIndex(where: { $0.name == name }) {
            entries[index] = entry
        } else {
            entries.append(entry)
        }
    }

    /// The text of a URL without the passwords in it: that of the user, even with an `@` or a `/` that should have been
    /// percent-encoded, and those among its parameters, where libpq takes them, too.
    private static func withoutPassword(_ text: String) -> String {
        guard let mark = text.firstRange(of: "://"), isScheme(text[..<mark.lowerBound].utf8) else {
            return withoutWhatMayBePassword(text)
        }
        var shown = text
        let authority = text.utf8[mark.upperBound...].prefix { $0 != UInt8(ascii: "/") }
        if let colon = authority.firstIndex(of: UInt8(ascii: ":")) {
            let query = text.utf8[authority.endIndex...].firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex
            // Where there is no port, all that follows may be the password, even with a "?".
            let isPort = authority[colon...].dropFirst().allSatisfy { (0x30...0x39).contains($0) }
            let ends = isPort ? [query] : [query, text.endIndex]
            if let at = ends.lazy.compactMap({ text.utf8[colon..<$0].lastIndex(of: UInt8(ascii: "@")) }).first {
                shown = text[...colon] + "********" + text[at...]
            }
        }
        let parts = shown.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).map { String(Substring($0)) }
        guard parts.count == 2 else { return shown }
        let parameters = parts[1].utf8.split(separator: UInt8(ascii: "&")).map { parameter in
            let name = Substring(parameter.prefix { $0 != UInt8(ascii: "=") })
            return name.lowercased().hasSuffix("password") ? "\(name)=********" : String(Substring(parameter))
        }
        return parts[0] + "?" + parameters.joined(separator: "&")
    }

    private static func isScheme(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetterOrDigit || [UInt8]("+-.".utf8).contains($0) }
    }

    /// A text that should perhaps have been a URL, as `user:password@host`, or has the words of libpq, as `host=h
    /// password=p`: without all that may be the password.
    private static func withoutWhatMayBePassword(_ text: String) -> String {
        let shown = passwordWord(of: text).map { text[..<$0] + "********" } ?? text
        guard let colon = shown.utf8.firstIndex(of: UInt8(ascii: ":")),
            let at = shown.utf8.lastIndex(of: UInt8(ascii: "@")), colon < at
        else { return shown }
        let hidden = shown.utf8[colon..<at].dropFirst()
        // A path, as in `sqlite:/data/a@b`.
        let isPath = ["sqlite", "unix", "file"].contains { shown.utf8[..<colon].elementsEqual($0.utf8) }
        if isPath, hidden.first == UInt8(ascii: "/"), !hidden.contains(UInt8(ascii: ":")) { return shown }
        return shown[...colon] + "********" + shown[at...]
    }

    /// The end of the first `password=` in a text; there may be blanks before the `=`.
    private static func passwordWord(of text: String) -> String.Index? {
        let word = "password".utf8
        for start in text.utf8.indices {
            // By this bit, capitals become small letters, and nothing else becomes a letter.
            guard text.utf8[start...].lazy.prefix(word.count).map({ $0 | 0x20 }).elementsEqual(word) else { continue }
            let rest = text.utf8[start...].dropFirst(word.count).drop { $0 == 0x20 || $0 == 0x09 }
            if rest.first == UInt8(ascii: "=") { return text.utf8.index(after: rest.startIndex) }
        }
        return nil
    }
}
