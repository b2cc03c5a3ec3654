/// A JSON text that is being written, always at its end.
///
/// A place holds one value. An encoder or container knows its place by a serial number. Writing to a place first closes
/// those inside it, for good. Synthesized code writes in this order, and needs no memory but the text.
///
/// Code that writes to a closed place, as with two nested containers in turn, makes the document begin anew: the value
/// is encoded a second time, to a ``JSONTree``, in which order does not matter. Code that breaks the protocol's rules
/// gets an error; it cannot make the text malformed.
///
/// Each thread reuses a document (``JSONDocuments``). Serial numbers go on, so a container that outlived its value is
/// refused. The fields skip the run-time exclusivity check, because only one call of `encode` at a time uses them.
final class JSONDocument: Reusable {
    /// The text so far.
    let buffer = ByteBuffer(capacity: 1024)
    @exclusivity(unchecked) var types = JSONTypes()
    @exclusivity(unchecked) var containers: KeyedContainers<JSONDocument, Int>
    @exclusivity(unchecked) private(set) var coder = JSONCoder()
    /// The innermost value.
    @exclusivity(unchecked) var place = JSONPlace.none
    /// The values around it, the outermost first.
    @exclusivity(unchecked) var outer: [JSONPlace] = []
    /// The index in `outer` of the first place of the innermost running `encode(to:)`. The places before it belong to
    /// calls of `encode(to:)` around that one, and are not closed by it.
    @exclusivity(unchecked) private var frame = 0
    /// Whether something was written out of order. Then the value is encoded again, as a tree.
    @exclusivity(unchecked) private(set) var leftOrder = false
    @exclusivity(unchecked) private(set) var tree: JSONTree?
    /// Whether names may be repeated that were not compared when they were written.
    @exclusivity(unchecked) var mayRepeatNames = false
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

    /// Refuses an object with two members of one name, where this was left to the end: in objects of many members,
    /// where two containers wrote to one object, as a subclass and its base class may, and where the value was written
    /// out of order.
    private func refuseRepeatedNames<Value>(in value: Value) throws {
        guard mayRepeatNames || tree != nil else { return }
        var scanner = JSONScanner(buffer.written, maximumDepth: coder.maximumDepth)
        do { try scanner.scan() } catch {
            throw failure(of: value, "At byte \(error.offset) of the JSON: \(error.reason).")
        }
    }

    /// Forgets everything except the text of a value that was written completely.
    private func end() {
        if leftOrder, tree == nil { buffer.removeAll() }
        place = .none
        outer.removeAll(keepingCapacity: true)
        frame = 0
        leftOrder = false
        mayRepeatNames = false
        tree = nil
        failure = nil
    }

    /// Forgets the text, and what the coder refers to. Keeps no more memory than most texts need.
    @inline(__always)
    func clear() -> Bool {
        buffer.removeAll()
        if !coder.userInfo.isEmpty { coder = JSONCoder() }
        buffer.trim(to: 65_536)
        return true
    }

    func letGo() { containers.forget() }

    /// Writes a value at the end of the text, after its name or comma.
    func append<Value: Encodable>(_ value: Value) throws {
        if case .known = types.shape(of: Value.self) { return try appendKnown(value) }
        if let tree { return try tree.append(value, in: self) }
        try appendInside { try encode(value, to: $0) }
    }

    /// Lets a value write itself into a place.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, to writer: JSONWriter) throws {
        switch types.shape(of: Value.self) {
        case .members(let members):
            let object = JSONMembers(writer.filled(as: .object))
            try withUnsafePointer(to: value) { try members.write($0, to: object) }
        case .list(let members) where tree == nil:
            guard isInnermost(writer.filled(as: .array)) else { return }
            try withUnsafePointer(to: value) { try members.writeElements(of: $0, to: self) }
        case .known, .encodable, .list: try value.encode(to: JSONValueEncoder(writer: writer))
        }
    }

    /// Writes values that write their members themselves, as the elements of the array in the innermost place.
    ///
    /// They use one place, one after the other, which keeps its serial number: nobody can keep a ``JSONMembers``, and
    /// containers that an element has made inside its place have numbers of their own.
    @inline(__always)
    func append<Value: JSONWritable>(_ elements: UnsafeBufferPointer<Value>) throws {
        guard !elements.isEmpty, let first = elements.baseAddress else { return }
        let (around, depth) = (frame, place.depth &+ 1)
        outer.append(place)
        frame = outer.count
        defer { leave(to: around) }
        open(depth: depth)
        let object = JSONMembers(JSONWriter(self, serial: place.serial))
        for index in elements.indices {
            outer[frame &- 1].members &+= 1
            if index > 0 { reopen() }
            guard depth < coder.maximumDepth else { throw failure(of: (), tooDeep, at: placePath) }
            place.kind = .object
            buffer.append(UInt8(ascii: "{"))
            try (first + index).borrowed { try $0.write(to: object) }
            if outer.count > frame { close() } else { buffer.append(UInt8(ascii: "}")) }
        }
    }

    /// Makes the innermost place vacant again, after the next comma.
    @inline(__always)
    private func reopen() {
        buffer.append(UInt8(ascii: ","))
        place = JSONPlace(serial: place.serial, depth: place.depth, start: buffer.count)
    }

    /// Lets a value write itself into a new place at the end of the text.
    @inline(__always)
    private func appendInside(_ write: (JSONWriter) throws -> Void) throws {
        let around = frame
        openInside()
        frame = outer.count
        defer { leave(to: around) }
        try write(JSONWriter(self, serial: place.serial))
        close()
    }

    /// Goes back to the place around the running `encode(to:)`.
    @inline(__always)
    private func leave(to around: Int) {
        outer.removeLast(outer.count - frame)
        place = outer.removeLast()
        frame = around
    }

    /// Whether a writer's value goes to the end of the text.
    @inline(__always)
    private func isInnermost(_ writer: JSONWriter) -> Bool { writer.serial == place.serial }
}

// MARK: - Places

extension JSONDocument {
    /// Makes a vacant place at the end of the text the innermost one.
    @inline(__always)
    private func open(depth: Int) {
        lastSerial &+= 1
        place = JSONPlace(serial: lastSerial, depth: depth, start: buffer.count)
    }

    /// Opens a vacant place inside the innermost one, which then waits in `outer`.
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
    /// - Throws: ``JSONOutOfOrder`` when the place is closed, or belongs to an `encode(to:)` around the running one.
    ///   Then the document begins anew. For ``nowhere``, the failure that is kept.
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

    /// Removes what a failed value wrote, so that another can be written in its place.
    ///
    /// The place gets a new serial number, so that the failed value's containers can no longer write to it.
    /// - Parameters:
    ///   - vacant: The place as it was.
    ///   - depth: How many places were in `outer`.
    /// - Returns: The new serial number; ``nowhere`` when the failed value also wrote to a place around its own, so
    ///   that the document begins anew.
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
