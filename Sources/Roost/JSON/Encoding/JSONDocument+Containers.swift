/// What the containers of an encoder do to the text.
extension JSONDocument {
    /// No place: what is written to it is refused.
    static let nowhere = 0

    /// Writes a member of an object: at once when the object is the innermost open place.
    @inline(__always)
    func member<Key: CodingKey>(_ key: Key, of serial: Int, _ writeValue: () throws -> Void) throws {
        let detour = serial == topSerial ? nil : try leaveOrder(for: serial)
        let mark = buffer.count
        appendSeparator()
        appendName(key)
        do { try writeValue() } catch { throw takeBack(to: mark, detour, error) }
        if let detour { try returnToOrder(from: detour) }
    }

    /// Writes a member of an object, whose name is part of the program.
    @inline(__always)
    func member(named name: StaticString, of serial: Int, _ writeValue: () throws -> Void) throws {
        let detour = serial == topSerial ? nil : try leaveOrder(for: serial)
        let mark = buffer.count
        appendSeparator()
        appendName(name)
        do { try writeValue() } catch { throw takeBack(to: mark, detour, error) }
        if let detour { try returnToOrder(from: detour) }
    }

    /// Writes an element of an array.
    @inline(__always)
    func element(of serial: Int, _ writeValue: () throws -> Void) throws {
        let detour = serial == topSerial ? nil : try leaveOrder(for: serial)
        let mark = buffer.count
        appendSeparator()
        do { try writeValue() } catch { throw takeBack(to: mark, detour, error) }
        if let detour { try returnToOrder(from: detour) }
    }

    /// Writes the only value of a place.
    @inline(__always)
    func scalar(at serial: Int, _ writeValue: () throws -> Void) throws {
        let isNext = serial == topSerial && places[top].pointee.kind == .vacant
        let detour = isNext ? nil : try leaveOrderForScalar(at: serial)
        do { try writeValue() } catch { throw detour == nil ? error : fail(error, detour) }
        places[top].pointee.kind = .scalar
        if let detour { try returnToOrder(from: detour) }
    }

    /// Makes a place an object or an array: the serial number of its container.
    @inline(__always)
    func container(_ kind: JSONPlace.Kind, at serial: Int) -> Int {
        guard serial == topSerial, places[top].pointee.kind == .vacant, places[top].pointee.depth < coder.maximumDepth
        else { return containerOddly(kind, at: serial) }
        places[top].pointee.kind = kind
        buffer.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return serial
    }

    /// A vacant place for a member, which may be filled later: its serial number.
    func place(for key: some CodingKey, in serial: Int) -> Int {
        reserve { try member(key, of: serial) { open() } }
    }

    /// A vacant place for an element, which may be filled later: its serial number.
    func place(inArray serial: Int) -> Int {
        reserve { try element(of: serial) { open() } }
    }

    private func reserve(_ open: () throws -> Void) -> Int {
        do {
            try open()
            return places[places.count - 1].pointee.serial
        } catch {
            failure = failure ?? error
            return Self.nowhere
        }
    }

    /// How many elements an array has.
    func count(of serial: Int) -> Int {
        if serial == topSerial { return places[top].pointee.members }
        return places.index(of: serial).map { places[$0].pointee.members } ?? 0
    }

    @inline(__always)
    private func appendSeparator() {
        let place = places[top]
        if place.pointee.members > 0 { buffer.append(UInt8(ascii: ",")) }
        place.pointee.members &+= 1
    }

    /// Takes back a member whose value threw, so that code that catches the error can go on.
    @inline(never)
    private func takeBack(to mark: Int, _ detour: JSONDetour?, _ error: any Error) -> any Error {
        if detour != nil || isInterleaved { return fail(error, detour) }
        buffer.truncate(to: mark)
        places[top].pointee.members -= 1
        return error
    }
}
