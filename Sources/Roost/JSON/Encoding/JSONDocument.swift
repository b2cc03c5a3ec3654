/// A JSON text that is being written.
///
/// A value goes to the end of the buffer, and only to the innermost place: the value whose container was asked for
/// last. That is so for everything that the compiler synthesizes, and needs no memory but the text. Nested containers
/// are closed when the one around them is written to again (`outer`). Whatever is written in another order (two nested
/// containers in turn, a super encoder after its siblings) makes the document begin anew, with a ``JSONTree``, in which
/// order does not matter; so `encode(to:)` runs twice then. An `Encodable` that breaks the protocol's rules gets an
/// error; it cannot make the text malformed.
///
/// A document is used again by its thread (``JSONDocuments``). Serial numbers go on, so that a container that outlived
/// its value is refused. The fields skip the run-time exclusivity check, because one call of `encode` at a time uses a
/// document.
final class JSONDocument {
    /// The text so far.
    let buffer = ByteBuffer(capacity: 1024)
    @exclusivity(unchecked) var types = JSONTypes()
    @exclusivity(unchecked) var containers: KeyedContainers<JSONDocument, Int>
    @exclusivity(unchecked) private(set) var coder = JSONCoder()
    /// The innermost value.
    @exclusivity(unchecked) var place = JSONPlace.none
    /// The values around it, the outermost first.
    @exclusivity(unchecked) var outer: [JSONPlace] = []
    /// The first of `outer` that belongs to the innermost running `encode(to:)`; the others belong to those around it.
    @exclusivity(unchecked) private var frame = 0
    /// Whether something was written out of order; then the value is written again, as a tree.
    @exclusivity(unchecked) private(set) var leftOrder = false
    @exclusivity(unchecked) private(set) var tree: JSONTree?
    /// Whether an object or array was asked for a second time.
    @exclusivity(unchecked) var isShared = false
    /// The first error that could not be thrown where it happened; it fails the document.
    @exclusivity(unchecked) var failure: (any Error)?
    @exclusivity(unchecked) private var lastSerial = 0

    /// - Parameter reusesContainers: Whether objects share their containers (``KeyedContainers``).
    init(reusesContainers: Bool = KeyedContainerLayout.isKnown) {
        containers = KeyedContainers(reuses: reusesContainers)
    }

    /// Writes the whole text of a value.
    func write<Value: Encodable>(_ value: Value, by coder: JSONCoder) throws {
        self.coder = coder
        defer { end() }
        do { try writeInOrder(value) } catch { if !leftOrder { throw error } }
        if leftOrder { try writeTree(of: value) }
        if let failure { throw failure }
        try refuseRepeatedNames(in: value)
    }

    private func writeInOrder<Value: Encodable>(_ value: Value) throws {
        open(depth: 0)
        var writer = JSONWriter(self, serial: place.serial)
        try writer.fill(with: value)
        guard failure != nil || place.kind != .vacant || !outer.isEmpty else {
            throw failure(of: value, "\(Value.self) wrote no value.")
        }
        close()
    }

    private func writeTree<Value: Encodable>(of value: Value) throws {
        end()
        let tree = JSONTree(firstSerial: lastSerial + 1)
        self.tree = tree
        defer { lastSerial = tree.lastSerial }
        try tree.write(value, to: self)
    }

    /// Refuses an object with two members of one name, which its readers would understand differently.
    ///
    /// A release build looks only where it is likely: where two containers wrote to one object, as with a subclass and
    /// its base class. A debug build always looks.
    private func refuseRepeatedNames(in value: Any) throws {
        #if !DEBUG
            guard isShared || tree != nil else { return }
        #endif
        var scanner = JSONScanner(buffer.written, maximumDepth: coder.maximumDepth)
        do { try scanner.scan() } catch {
            throw failure(of: value, "At byte \(error.offset) of the JSON: \(error.reason).")
        }
    }

    /// Forgets everything except the text of a value that has been written completely.
    private func end() {
        if leftOrder, tree == nil { buffer.removeAll() }
        place = .none
        outer.removeAll(keepingCapacity: true)
        frame = 0
        leftOrder = false
        isShared = false
        tree = nil
        failure = nil
    }

    /// Forgets the text, keeping no more memory than most texts need, and what the coder refers to.
    @inline(__always)
    func clear() {
        buffer.removeAll()
        if !coder.userInfo.isEmpty { coder = JSONCoder() }
        buffer.trim(to: 65_536)
    }

    /// Writes a value at the end of the text, where its name or comma stands already.
    func append<Value: Encodable>(_ value: Value) throws {
        if case .known = types.shape(of: Value.self) { return try appendKnown(value) }
        if let tree { return try tree.append(value, in: self) }
        let around = frame
        openInside()
        frame = outer.count
        defer {
            outer.removeLast(outer.count - frame)
            place = outer.removeLast()
            frame = around
        }
        try encode(value, to: JSONWriter(self, serial: place.serial))
        close()
    }

    /// Lets a value write itself into a place.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, to writer: JSONWriter) throws {
        guard case .members(let members) = types.shape(of: Value.self) else {
            return try value.encode(to: JSONValueEncoder(writer: writer))
        }
        let object = JSONMembers(writer.filled(as: .object))
        try withUnsafePointer(to: value) { try members.write($0, to: object) }
    }
}

// MARK: - Places

extension JSONDocument {
    /// Makes a vacant place at the end of the text the innermost one.
    @inline(__always)
    private func open(depth: Int) {
        lastSerial &+= 1
        place = JSONPlace(serial: lastSerial, depth: depth, start: buffer.count)
    }

    /// Makes a vacant place inside the innermost one, which waits until that is closed.
    @inline(__always)
    func openInside() {
        outer.append(place)
        open(depth: place.depth &+ 1)
    }

    /// Closes the innermost place of the running `encode(to:)`, and those that are open around it.
    private func close() {
        while outer.count > frame { closeInside() }
        closePlace()
    }

    private func closeInside() {
        closePlace()
        place = outer.removeLast()
    }

    @inline(__always)
    private func closePlace() {
        switch place.kind {
        case .object: buffer.append(UInt8(ascii: "}"))
        case .array: buffer.append(UInt8(ascii: "]"))
        case .vacant: buffer.append("{}")
        case .scalar: break
        }
    }

    /// Makes a place the innermost one by closing those inside it. False when the document is a tree.
    /// - Throws: What makes the document begin anew, when that place cannot be written to any more.
    @inline(never)
    func comeBack(to serial: Int) throws -> Bool {
        if let failure, serial == Self.nowhere { throw failure }
        if tree != nil { return false }
        guard let index = outer[frame...].lastIndex(where: { $0.serial == serial }) else {
            leftOrder = true
            throw JSONOutOfOrder()
        }
        while outer.count > index { closeInside() }
        return true
    }

    /// Takes a failed value back, so that another can be written in its place: the place's new serial number.
    ///
    /// The number changes so that a container of the failed value can no longer be written to.
    /// - Parameters:
    ///   - vacant: The place as it was.
    ///   - depth: How many places waited for it to be closed.
    /// - Returns: ``nowhere`` when the failed value has written around itself, so that the document begins anew.
    func renew(_ vacant: JSONPlace, within depth: Int) -> Int {
        guard outer.count >= depth, (outer.count == depth ? place : outer[depth]).serial == vacant.serial else {
            leftOrder = true
            return Self.nowhere
        }
        outer.removeLast(outer.count - depth)
        place = vacant
        buffer.truncate(to: vacant.start)
        lastSerial += 1
        place.serial = lastSerial
        return lastSerial
    }
}
