import Glibc

/// The names of the members of all open objects, the innermost object's last. It finds names that are repeated.
///
/// Names are compared when their object ends. Up to eight are compared in pairs, by length and bytes. More, or any that
/// `isComposed`, go into a hash table. Swift's hash has another seed in each process, so nobody can choose names that
/// collide. Time and memory grow linearly with the text.
///
/// Canonically equivalent names are the same (UAX #15): `é` can be one scalar or two. The decoder keeps members in a
/// dictionary, to which such names are one key, and would silently lose a value.
struct JSONNames {
    /// A string in a text, without its quotation marks.
    struct Name {
        let start: Int
        let end: Int
        let hasEscapes: Bool
        /// Whether comparing bytes is not enough: it has escapes, or a scalar from U+0300 on. Text below U+0300 is
        /// always in normal form C (UAX #15).
        let isComposed: Bool
    }

    private var names: [Name] = []

    var count: Int { names.count }

    mutating func append(_ name: Name) { names.append(name) }

    /// Removes the names of an object that ends. Returns the offset of a name that stands there a second time, if any.
    /// - Parameter first: The index of the object's first name.
    mutating func removeObject(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        defer { names.removeSubrange(first...) }
        guard names.count - first > 1 else { return nil }
        let isComposed = names[first...].contains { $0.isComposed }
        let found =
            isComposed || names.count - first > 8
            ? hashed(from: first, in: text, isComposed) : paired(from: first, in: text)
        return found.map { names[$0].start - 1 }
    }

    private func paired(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        for later in first..<names.count {
            for earlier in first..<later where isSame(names[earlier], names[later], in: text) { return later }
        }
        return nil
    }

    /// Finds a repeated name with a hash table of open addressing. A slot holds a name's hash and index, or -1.
    /// - Parameter isComposed: Whether names are compared by canonical equivalence.
    private func hashed(from first: Int, in text: UnsafeBufferPointer<UInt8>, _ isComposed: Bool) -> Int? {
        var size = 32
        while size < (names.count - first) * 2 { size *= 2 }
        var slots = [(hash: Int, name: Int)](repeating: (0, -1), count: size)
        for later in first..<names.count {
            let hash = hash(of: names[later], in: text, isComposed)
            var slot = hash & (size - 1)
            while slots[slot].name >= 0 {
                let name = names[slots[slot].name]
                if slots[slot].hash == hash, isSame(name, names[later], in: text, isComposed) { return later }
                slot = (slot + 1) & (size - 1)
            }
            slots[slot] = (hash, later)
        }
        return nil
    }
}

// MARK: - One name

extension JSONNames {
    private func hash(of name: Name, in text: UnsafeBufferPointer<UInt8>, _ isComposed: Bool) -> Int {
        var hasher = Hasher()
        if isComposed {
            hasher.combine(Self.string(name, in: text))
        } else {
            hasher.combine(bytes: UnsafeRawBufferPointer(Self.raw(name, in: text)))
        }
        return hasher.finalize()
    }

    /// - Parameter isComposed: Whether names are compared by canonical equivalence, with escapes resolved.
    private func isSame(
        _ one: Name, _ other: Name, in text: UnsafeBufferPointer<UInt8>, _ isComposed: Bool = false
    ) -> Bool {
        if isComposed { return Self.string(one, in: text) == Self.string(other, in: text) }
        let (one, other) = (Self.raw(one, in: text), Self.raw(other, in: text))
        guard one.count == other.count, let left = one.baseAddress, let right = other.baseAddress else { return false }
        return memcmp(left, right, one.count) == 0
    }

    private static func raw(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[name.start..<name.end])
    }

    /// Whether a name or a text has so many combining marks in a row that comparing it would take long.
    static func hasTooManyMarks(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        CombiningMarks.areTooMany(in: string(name, in: text))
    }

    /// A name as a `String`, which Swift compares by canonical equivalence.
    private static func string(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> String {
        JSONUnescaping.string(of: raw(name, in: text))
    }
}
