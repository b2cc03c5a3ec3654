/// What the containers of an encoder do to the text.
extension JSONDocument {
    /// No place: what is written to it is refused.
    static let nowhere = 0

    /// Writes something into a place: at once when it is the innermost open one.
    @inline(__always)
    func write(in serial: Int, _ write: () throws -> Void) throws {
        if serial == topSerial { return try write() }
        try writeOddly(in: serial, write)
    }

    /// Writes a member of an object.
    @inline(__always)
    func member(_ key: some CodingKey, of serial: Int, _ writeValue: () throws -> Void) throws {
        try write(in: serial) {
            let mark = buffer.count
            appendSeparator()
            appendName(key)
            do { try writeValue() } catch {
                takeBack(to: mark)
                throw error
            }
        }
    }

    /// Writes an element of an array.
    @inline(__always)
    func element(of serial: Int, _ writeValue: () throws -> Void) throws {
        try write(in: serial) {
            let mark = buffer.count
            appendSeparator()
            do { try writeValue() } catch {
                takeBack(to: mark)
                throw error
            }
        }
    }

    /// Writes the only value of a place.
    @inline(__always)
    func scalar(at serial: Int, _ writeValue: () throws -> Void) throws {
        if serial == topSerial, places[top].pointee.kind == .vacant {
            try writeValue()
            places[top].pointee.kind = .scalar
        } else {
            try scalarOddly(at: serial, writeValue)
        }
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

    /// Takes back a member whose value threw, so that who catches the error can go on.
    private func takeBack(to mark: Int) {
        guard !isInterleaved else { return }
        buffer.truncate(to: mark)
        places[top].pointee.members -= 1
    }
}
