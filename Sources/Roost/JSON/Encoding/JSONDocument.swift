/// A JSON text that is being written, and the places in it that an `Encodable` may still write to.
///
/// Nothing is kept but the text: a container is the serial number of a place, and a value goes to the end of the
/// buffer when its place is the innermost open one, which is so for everything that the compiler synthesizes. What is
/// written in another order (two nested containers in turn, a super encoder after its siblings) closes the places
/// inside, or is written at the end and moved where it belongs: see `JSONDocument+Interleaving.swift`. An `Encodable`
/// that breaks the protocol's rules gets an error; it cannot make the text malformed.
///
/// A document is never freed, but used again by its thread (``JSONDocuments``). So containers refer to it without
/// counting references, which would be a good part of the cost, and serial numbers go on for ever, so that a container
/// that outlived its value is refused. The fields skip the run-time exclusivity check, because one call of `encode` at
/// a time uses a document.
final class JSONDocument {
    /// The text so far.
    let buffer = ByteBuffer(capacity: 1024)
    let types = JSONTypes()
    let containers = KeyedContainers<Unmanaged<JSONDocument>, Int>()
    @exclusivity(unchecked) private(set) var coder = JSONCoder()
    @exclusivity(unchecked) var places = JSONPlaces()
    /// The index of the innermost open place, and its serial number.
    @exclusivity(unchecked) private(set) var top = -1
    @exclusivity(unchecked) private(set) var topSerial = -1
    /// The innermost place whose `encode(to:)` is running.
    @exclusivity(unchecked) var active = 0
    /// The first place that may be written to: the inside of a member that is being inserted.
    @exclusivity(unchecked) var floor = 0
    /// Whether something was written in an odd order, after which places keep their index to the end.
    @exclusivity(unchecked) var isInterleaved = false
    /// Whether an object or array was asked for a second time.
    @exclusivity(unchecked) var isShared = false
    /// The first error that could not be thrown where it happened; it fails the document.
    @exclusivity(unchecked) var failure: (any Error)?
    @exclusivity(unchecked) private var lastSerial = 0

    /// Whether a value is being written.
    @exclusivity(unchecked) var isBusy = false
    /// The next document of its thread.
    @exclusivity(unchecked) var next: Unmanaged<JSONDocument>?

    /// Writes the whole text of a value.
    func write<Value: Encodable>(_ value: Value, by coder: JSONCoder) throws {
        self.coder = coder
        let root = open()
        defer { end() }
        var writer = JSONWriter(self, serial: topSerial)
        try writer.fill(with: value)
        if let failure { throw failure }
        guard places[root].pointee.kind != .vacant else {
            throw failure(of: value, "\(Value.self) wrote no value.")
        }
        close(downTo: -1)
        try refuseRepeatedNames(in: value)
    }

    /// Refuses an object with two members of one name, which its readers would understand differently.
    ///
    /// A release build looks only where it is likely: where two containers wrote to one object, as with a subclass and
    /// its base class. A debug build always looks.
    private func refuseRepeatedNames(in value: Any) throws {
        #if !DEBUG
            guard isShared || isInterleaved else { return }
        #endif
        var scanner = JSONScanner(buffer.written, maximumDepth: coder.maximumDepth)
        do { try scanner.scan() } catch {
            throw failure(of: value, "At byte \(error.offset) of the JSON: \(error.reason).")
        }
    }

    /// Forgets the places; a container that outlived them is refused from now on.
    private func end() {
        places.drop(from: 0)
        turn(to: -1)
        (active, floor, isInterleaved, isShared, failure) = (0, 0, false, false, nil)
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
        let index = open()
        let outer = active
        active = index
        defer { active = outer }
        do {
            try encode(value, to: JSONWriter(self, serial: topSerial))
        } catch {
            abandon(index, error)
            throw error
        }
        finish(index)
    }
}

extension JSONDocument {
    /// Lets a value write itself into a place.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, to writer: JSONWriter) throws {
        guard case .members(let members) = types.shape(of: Value.self) else {
            return try value.encode(to: JSONValueEncoder(writer: writer))
        }
        let object = JSONMembers(writer.filled(as: .object))
        try withUnsafePointer(to: value) { value in
            try members._withUnsafeGuaranteedRef { try $0.write(value, to: object) }
        }
    }
}

// MARK: - Places

extension JSONDocument {
    /// Opens a vacant place at the end of the text.
    @inline(__always)
    @discardableResult
    func open() -> Int {
        let index = places.count
        lastSerial &+= 1
        let parent = top
        let depth = parent < 0 ? 0 : places[parent].pointee.depth &+ 1
        let position = parent < 0 ? 0 : places[parent].pointee.members &- 1
        places.push(
            JSONPlace(serial: lastSerial, parent: parent, depth: depth, position: position, start: buffer.count))
        top = index
        topSerial = lastSerial
        return index
    }

    /// Makes a place the innermost open one.
    @inline(__always)
    func turn(to index: Int) {
        top = index
        topSerial = index < 0 ? -1 : places[index].pointee.serial
    }

    /// Closes the open places inside one; -1 closes them all.
    @inline(__always)
    func close(downTo index: Int) {
        while top > index { closeTop() }
    }

    private func closeTop() {
        let place = places[top]
        switch place.pointee.kind {
        case .object: buffer.append(UInt8(ascii: "}"))
        case .array: buffer.append(UInt8(ascii: "]"))
        case .vacant: buffer.append("{}")
        case .scalar: break
        }
        place.pointee.end = buffer.count &- 1
        place.pointee.isOpen = false
        turn(to: place.pointee.parent)
    }

    /// Empties a place whose value threw, so that another can be written: its new serial number.
    ///
    /// The number changes so that a container of the failed value can no longer be written to.
    func renew(_ serial: Int, after error: any Error) -> Int {
        guard let index = places.index(of: serial) else { return Self.nowhere }
        if places[index].pointee.kind == .vacant { return serial }
        guard !isInterleaved, places[index].pointee.isOpen else {
            failure = failure ?? error
            return Self.nowhere
        }
        places.drop(from: index + 1)
        buffer.truncate(to: places[index].pointee.start)
        lastSerial += 1
        places[index].pointee.serial = lastSerial
        places[index].pointee.kind = .vacant
        places[index].pointee.members = 0
        turn(to: index)
        return lastSerial
    }

    /// Ends a value whose `encode(to:)` has returned.
    @inline(__always)
    private func finish(_ index: Int) {
        if places[index].pointee.isOpen { close(downTo: places[index].pointee.parent) }
        if !isInterleaved { places.drop(from: index) }
    }

    /// Ends a value whose `encode(to:)` has thrown; the caller takes its text back.
    private func abandon(_ index: Int, _ error: any Error) {
        guard !isInterleaved else {
            failure = failure ?? error
            return finish(index)
        }
        turn(to: places[index].pointee.parent)
        places.drop(from: index)
    }
}
