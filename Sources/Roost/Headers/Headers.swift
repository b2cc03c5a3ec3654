import Glibc
public import HTTPTypes

/// The header fields of a message, in order; names are found regardless of case (RFC 9110 §5).
///
/// The fields of a received request stay the bytes that came; a value becomes a `String` only when it is read. Fields
/// that the application sets are a list.
///
///     response.headers[.location] = "/users/3"
///     request.headers[.accept]            // all values of that name, joined with ", "
public struct Headers: Sendable {
    /// One name and one value.
    public struct Field: Sendable, Equatable {
        /// The name, compared regardless of case.
        public var name: HTTPField.Name
        /// The value, without the blanks around it.
        public var value: String

        /// Whether this is its name. Names usually differ in length, and comparing lengths costs less than comparing
        /// texts.
        func hasName(_ name: HTTPField.Name) -> Bool {
            self.name.canonicalName.utf8.count == name.canonicalName.utf8.count && self.name == name
        }
    }

    private(set) var storage: Storage
    /// Fields that follow the stored ones and are the same in many responses.
    private(set) var shared: SharedFields?

    /// No fields.
    public init() { storage = .list([]) }

    /// One field.
    public init(_ name: HTTPField.Name, _ value: String) {
        self.init()
        append(name, value)
    }

    /// The type of a content, and nothing else. For the usual types all responses share the memory: many have no other
    /// field.
    init(contentType: String) {
        self = Self.usualTypes.first { $0.type == contentType }?.headers ?? Headers(.contentType, contentType)
    }

    private static let usualTypes = [
        "application/json", "text/html; charset=utf-8", "text/plain; charset=utf-8", "text/html", "text/plain",
    ].map { (type: $0, headers: Headers(.contentType, $0)) }

    init(received: ReceivedFields) { storage = .received(received) }

    /// Fields whose values are read when they are asked for.
    /// - Parameter lines: Field lines, each with a colon, without spaces before it, and with CRLF at its end.
    package init(lines: [UInt8]) {
        let bytes = lines.withUnsafeBufferPointer { MessageBytes(copying: $0) }
        self.init(received: ReceivedFields(bytes: bytes, range: ByteRange(0, lines.count)))
    }

    /// The value for a name. Several values are joined with `, ` (RFC 9110 §5.3), those of `Cookie` with `; ` (RFC 9113
    /// §8.2.3). Setting replaces all of them; setting `nil` removes them.
    public subscript(name: HTTPField.Name) -> String? {
        get {
            if hasShared(name) { return self[values: name].joined(separator: Self.separator(of: name)) }
            if case .received(let fields) = storage { return fields.value(name) }
            var value: String?
            let isRepeated = storage.firstIndex { field in
                guard field.hasName(name) else { return false }
                if value != nil { return true }
                value = field.value
                return false
            }
            return isRepeated == nil ? value : self[values: name].joined(separator: Self.separator(of: name))
        }
        set {
            if hasShared(name) { ownShared() }
            if let newValue, !hasOwn(name) { return append(name, newValue) }
            // The list leaves the storage, so that it is not shared while it changes.
            var list = storage.list
            storage = .list([])
            if let newValue, let index = list.firstIndex(where: { $0.hasName(name) }) {
                list[index].value = newValue
                while let other = list.lastIndex(where: { $0.hasName(name) }), other > index { list.remove(at: other) }
            } else {
                list.removeAll { $0.hasName(name) }
            }
            storage = .list(list)
        }
    }

    /// The value for a name that is written out in the source, where it has no constant of its own:
    ///
    ///     response.headers["X-Total-Count"] = "\(users.count)"
    ///
    /// A literal that is not a token (RFC 9110 §5.1) stops the program where it is used: it is a misprint, and no
    /// client's doing.
    public subscript(name: StaticString) -> String? {
        get { self[.known("\(name)")] }
        set { self[.known("\(name)")] = newValue }
    }

    /// Every value of a name, one for each field line, as `Set-Cookie` needs it.
    public subscript(values name: HTTPField.Name) -> [String] {
        list.filter { $0.hasName(name) }.map(\.value)
    }

    /// Whether a field with this name is present.
    public func contains(_ name: HTTPField.Name) -> Bool { hasOwn(name) || hasShared(name) }

    private func hasOwn(_ name: HTTPField.Name) -> Bool {
        if case .received(let fields) = storage { return fields.first(name) != nil }
        return storage.firstIndex { $0.hasName(name) } != nil
    }

    /// Whether nothing is in it that an application has set.
    @inline(__always)
    var isEmpty: Bool {
        guard shared == nil, case .list(let list) = storage else { return false }
        return list.isEmpty
    }

    private func hasShared(_ name: HTTPField.Name) -> Bool { shared?.contains(name) ?? false }

    /// Adds the fields whose names are not there yet. Usually that is all of them, and they are not copied.
    mutating func addMissing(_ fields: SharedFields) {
        if shared == nil, storage.firstIndex(where: { fields.contains($0.name) }) == nil { return shared = fields }
        for field in fields.list where !contains(field.name) { append(field.name, field.value) }
    }

    /// Copies the shared fields into this response's own, so that one of them can change.
    private mutating func ownShared() {
        storage = .list(list)
        shared = nil
    }

    /// Adds one more field line, even when there is one with this name.
    public mutating func append(_ name: consuming HTTPField.Name, _ value: consuming String) {
        storage.append(Field(name: name, value: value))
    }

    /// The fields, and those of others: of a name that both have, only the others' fields stay.
    ///
    ///     client.get("/users", headers: browser.merging([.acceptLanguage: "de"]))
    public func merging(_ others: Headers) -> Headers {
        var merged = Headers()
        for field in list where !others.contains(field.name) { merged.append(field.name, field.value) }
        for field in others.list { merged.append(field.name, field.value) }
        return merged
    }

    /// The fields with this name, and no others.
    func only(_ name: HTTPField.Name) -> Headers { self[name].map { Headers(name, $0) } ?? Headers() }

    /// Names a request field on which the response depends, unless `Vary` has it already (RFC 9110 §12.5.5).
    /// `Accept-Encoding` and `Cookie`, which many pages depend on beside something else, share the line that is there:
    /// some caches, such as nginx 1.22, read one line only. So do others where `Accept-Encoding` is there, and `Origin`
    /// where `Cookie` is. Otherwise they get a line of their own, which means the same (§5.3) and makes no new text.
    mutating func addToVary(_ field: HTTPField.Name) {
        guard let vary = self[.vary] else { return append(.vary, field.rawName) }
        if vary.lists("*") || vary.lists(field.canonicalName) { return }
        let isShared =
            field == .acceptEncoding || field == .cookie || vary.lists("accept-encoding")
            || field == .origin && vary.lists("cookie")
        guard isShared else { return append(.vary, field.rawName) }
        self[.vary] = vary + ", " + field.rawName
    }

    /// Every field line in order.
    public var list: [Field] { shared.map { storage.list + $0.list } ?? storage.list }

    /// Returns the text that joins the values of several lines. `Cookie` is not a list of the usual kind, but HTTP/2
    /// may spread it over several lines, and a proxy may leave it that way.
    static func separator(of name: HTTPField.Name) -> String { name == .cookie ? "; " : ", " }
}

extension Headers: ExpressibleByDictionaryLiteral {
    /// Fields in the order written. A name without a constant is an `HTTPField.Name("X-API-Key")`, which is nil for
    /// what cannot be a name.
    public init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}
