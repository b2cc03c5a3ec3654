/// What an encoder's containers do to the text.
///
/// Each operation gets the serial number of the place to write to. In the usual case that is the innermost place, and
/// the value goes to the end of the text. Else `comeBack(to:)` closes the places inside it. A document that is a tree
/// passes the operation on to the ``JSONTree``.
extension JSONDocument {
    /// The serial number of no place. What is written to it is refused.
    static let nowhere = 0

    /// Writes a member of an object.
    @inline(__always)
    func member<Key: CodingKey>(_ key: Key, of serial: Int, _ writeValue: () throws -> Void) throws {
        guard try isNext(serial) else { return try addToTree(serial, { self.appendName(key) }, writeValue) }
        let mark = buffer.count
        appendSeparator()
        appendName(key)
        do {
            try note(key, from: mark)
            try writeValue()
        } catch { throw takeBack(to: mark, error) }
    }

    /// Writes a member of an object, with a name from the source code.
    @inline(__always)
    func member(named name: StaticString, of serial: Int, _ writeValue: () throws -> Void) throws {
        guard try isNext(serial) else { return try addToTree(serial, { self.appendName(name) }, writeValue) }
        let mark = buffer.count
        appendSeparator()
        appendName(name)
        do {
            try note(name, from: mark)
            try writeValue()
        } catch { throw takeBack(to: mark, error) }
    }

    /// Writes an element of an array.
    @inline(__always)
    func element(of serial: Int, _ writeValue: () throws -> Void) throws {
        guard try isNext(serial) else { return try addToTree(serial, nil, writeValue) }
        let mark = buffer.count
        appendSeparator()
        do { try writeValue() } catch { throw takeBack(to: mark, error) }
    }

    /// Writes the only value of a place.
    @inline(__always)
    func scalar(at serial: Int, _ writeValue: () throws -> Void) throws {
        guard try isNext(serial) else { return try fillInTree(serial, writeValue) }
        try requireVacant()
        do { try writeValue() } catch {
            buffer.truncate(to: place.start)
            throw error
        }
        place.kind = .scalar
    }

    /// Makes a place an object or an array. Returns the serial number for its container, `nowhere` after a failure.
    @inline(__always)
    func container(_ kind: JSONPlace.Kind, at serial: Int) -> Int {
        guard serial == place.serial, place.kind == .vacant, place.depth < coder.maximumDepth else {
            return containerOddly(kind, at: serial)
        }
        place.kind = kind
        buffer.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return serial
    }

    /// Adds a member whose value may be written later. Returns the serial number of the value's place.
    func place(for key: some CodingKey, in serial: Int) -> Int {
        reserve { try member(key, of: serial, $0) }
    }

    /// Adds an element whose value may be written later. Returns the serial number of the value's place.
    func place(inArray serial: Int) -> Int {
        reserve { try element(of: serial, $0) }
    }

    /// Writes a member or element with a vacant place for a value. The protocol lets no error be thrown here, so one is
    /// kept, and fails the document in the end.
    private func reserve(_ write: (() throws -> Void) throws -> Void) -> Int {
        do {
            var reserved = Self.nowhere
            try write {
                if let tree {
                    reserved = tree.reserve()
                } else {
                    openInside()
                    reserved = place.serial
                }
            }
            return reserved
        } catch {
            failure = failure ?? error
            return Self.nowhere
        }
    }

    /// How many elements an array has.
    func count(of serial: Int) -> Int {
        if let tree { return tree.count(of: serial) }
        if serial == place.serial { return place.members }
        return outer.last { $0.serial == serial }?.members ?? 0
    }

    /// Makes a place the innermost one, if it is not, by closing those inside it. False when the document is a tree.
    @inline(__always)
    private func isNext(_ serial: Int) throws -> Bool { try serial == place.serial || comeBack(to: serial) }

    @inline(__always)
    private func appendSeparator() {
        if place.members > 0 { buffer.append(UInt8(ascii: ",")) }
        place.members &+= 1
    }

    /// Removes a member or element whose value threw, so that code that catches the error can go on. Returns the error.
    @inline(never)
    private func takeBack(to mark: Int, _ error: any Error) -> any Error {
        buffer.truncate(to: mark)
        place.members -= 1
        return error
    }

    @inline(never)
    private func addToTree(_ serial: Int, _ writeName: (() -> Void)?, _ writeValue: () throws -> Void) throws {
        try tree?.add(to: serial, in: self, writeName, writeValue)
    }

    @inline(never)
    private func fillInTree(_ serial: Int, _ writeValue: () throws -> Void) throws {
        try tree?.fill(serial, in: self, writeValue)
    }

    @inline(never)
    private func containerOddly(_ kind: JSONPlace.Kind, at serial: Int) -> Int {
        do {
            if try isNext(serial) { try share(kind) } else { try tree?.turn(serial, into: kind, in: self) }
            return serial
        } catch {
            if !leftOrder { failure = failure ?? error }
            return Self.nowhere
        }
    }

    /// Makes the innermost place an object or an array, with the checks that the usual case does not need. If the place
    /// is one already, both containers write to it.
    private func share(_ kind: JSONPlace.Kind) throws {
        if place.kind == kind {
            mayRepeatNames = true
            return
        }
        try requireVacant()
        guard place.depth < coder.maximumDepth else { throw failure(of: (), tooDeep, at: placePath) }
        _ = container(kind, at: place.serial)
    }

    /// Makes a place the innermost one, and returns it if it is vacant.
    func vacantPlace(_ serial: Int) throws -> JSONPlace {
        _ = try isNext(serial)
        try requireVacant()
        return place
    }

    /// Refuses a second value in the innermost place.
    @inline(__always)
    private func requireVacant() throws {
        if place.kind != .vacant { throw failure(of: (), JSONTree.second, at: placePath) }
    }

    /// Why a value that is nested too deep is refused.
    var tooDeep: String { "The value is nested deeper than \(coder.maximumDepth) levels." }
}
