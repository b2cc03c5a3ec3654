/// Refusing an object with two members of one name, which parsers read differently (RFC 8259 §4).
///
/// Each name sets a bit of its object. Only if the bit was set already are the names compared. A case of an enumeration
/// without values, as the compiler makes them for coding keys, has a bit of its own. In objects of many members, the
/// finished text is looked through once instead.
extension JSONDocument {
    /// In an object of more members than this, names are compared in the end.
    private static let most = 64

    /// Notes a name that has been written behind a mark.
    @inline(__always)
    func note<Key: CodingKey>(_ key: Key, from mark: Int) throws {
        if MemoryLayout<Key>.size == 1, case .asWritten = coder.keys {
            try note(bit: unsafeBitCast(key, to: UInt8.self), from: mark)
        } else {
            try noteOther(Key.self, from: mark)
        }
    }

    /// Notes a name from the source code that has been written behind a mark.
    @inline(__always)
    func note(_ name: StaticString, from mark: Int) throws {
        guard name.hasPointerRepresentation, case .asWritten = coder.keys else {
            return try noteOther(JSONKey.self, from: mark)
        }
        let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        let word = bytes.isEmpty ? 0 : bytes.word(at: 0)
        let hash = (word ^ UInt64(truncatingIfNeeded: bytes.count)) &* 0x9E37_79B9_7F4A_7C15
        try note(bit: UInt8(truncatingIfNeeded: hash &>> 58), from: mark)
    }

    @inline(__always)
    private func note(bit: UInt8, from mark: Int) throws {
        let bit = 1 as UInt64 &<< UInt64(bit)
        if place.names & bit != 0 { try compareNames(from: mark) }
        place.names |= bit
    }

    /// Notes a name of any other kind of key. A dictionary's are known to differ.
    @inline(never)
    private func noteOther<Key: CodingKey>(_ type: Key.Type, from mark: Int) throws {
        if ObjectIdentifier(type) == JSONDictionaryKeys.type { return }
        // Without the comma, which the first member does not have.
        let name = buffer.written[mark...].drop { $0 == UInt8(ascii: ",") }
        try note(bit: name.reduce(0) { $0 &* 31 &+ $1 } & 63, from: mark)
    }

    /// Refuses the name behind a mark if the object has it already.
    @inline(never)
    private func compareNames(from mark: Int) throws {
        guard place.members <= Self.most else { return mayRepeatNames = true }
        let text = buffer.written
        let name = text[mark...].drop { $0 == UInt8(ascii: ",") }.dropFirst().dropLast(2)
        let before = JSONWalker(UnsafeBufferPointer(rebasing: text[..<mark]))
        let other = before.firstPart(ofValueAt: place.start) { $0.name.map { text[$0].elementsEqual(name) } ?? false }
        if other != nil { throw failure(of: (), "A second member of one name was written.") }
    }
}
