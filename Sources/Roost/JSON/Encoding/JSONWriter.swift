/// Writes into one place of a document. All encoders and containers are made of it.
///
/// It is two words, so that an existential such as `any UnkeyedEncodingContainer` holds it without allocating memory.
struct JSONWriter {
    private let document: JSONDocument
    private(set) var serial: Int

    @inline(__always)
    init(_ document: JSONDocument, serial: Int) {
        self.document = document
        self.serial = serial
    }

    var codingPath: [any CodingKey] { document.codingPath(to: serial) }

    var userInfo: [CodingUserInfoKey: any Sendable] { document.coder.userInfo }

    /// Whether an optional member that is nil is written.
    @inline(__always)
    var writesNil: Bool { document.coder.nils == .null }

    /// How many elements the array in this place has.
    var count: Int { document.count(of: serial) }

    /// Writes a member of the object in this place.
    @inline(__always)
    func member(_ key: some CodingKey, _ writeValue: (JSONDocument) throws -> Void) throws {
        try document.member(key, of: serial) { try writeValue(document) }
    }

    /// Writes a member of the object in this place.
    @inline(__always)
    func member(named name: StaticString, _ writeValue: (JSONDocument) throws -> Void) throws {
        try document.member(named: name, of: serial) { try writeValue(document) }
    }

    /// As ``member(named:_:)``, but an error is kept, and fails the document in the end.
    @inline(__always)
    func safeMember(named name: StaticString, _ writeValue: (JSONDocument) -> Void) {
        do { try member(named: name, writeValue) } catch { document.failure = document.failure ?? error }
    }

    /// Writes an element of the array in this place.
    @inline(__always)
    func element(_ writeValue: (JSONDocument) throws -> Void) throws {
        try document.element(of: serial) { try writeValue(document) }
    }

    /// Writes the only value of this place.
    @inline(__always)
    func scalar(_ writeValue: (JSONDocument) throws -> Void) throws {
        try document.scalar(at: serial) { try writeValue(document) }
    }

    /// Writes a value into this place. If that throws, another may be written instead.
    mutating func fill<Value: Encodable>(with value: Value) throws {
        if case .known = document.types.shape(of: Value.self) { return try scalar { try $0.appendKnown(value) } }
        if document.tree != nil { return try scalar { try $0.append(value) } }
        let (vacant, depth) = (try document.vacantPlace(serial), document.outer.count)
        do { try document.encode(value, to: self) } catch {
            serial = document.renew(vacant, within: depth)
            throw error
        }
    }

    /// Makes this place an object.
    @inline(__always)
    func object<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        let serial = document.container(.object, at: serial)
        return document.containers.container(keyedBy: type, at: serial) {
            KeptContainerOf(JSONObjectContainer<Key>(document, at: serial))
        }
    }

    /// Makes this place an array.
    @inline(__always)
    func array() -> JSONWriter { filled(as: .array) }

    /// Makes this place an object or an array.
    @inline(__always)
    func filled(as kind: JSONPlace.Kind) -> JSONWriter {
        JSONWriter(document, serial: document.container(kind, at: serial))
    }

    /// Adds a member, and returns a writer for its value, which may be written later.
    func place(for key: some CodingKey) -> JSONWriter {
        JSONWriter(document, serial: document.place(for: key, in: serial))
    }

    /// Adds an element, and returns a writer for its value, which may be written later.
    func placeForElement() -> JSONWriter { JSONWriter(document, serial: document.place(inArray: serial)) }
}
