import Glibc

/// The names of the members of the objects that are open, the innermost object's last.
///
/// Names are compared when their object ends: a few by length and bytes, each with each; many by a hash table, with
/// Swift's hash, whose seed differs in each process, so that nobody can choose names that collide. Either way time and
/// memory grow with the text and no faster.
///
/// Names are the same also when they differ in no more than how their letters are composed, as `é` can be one scalar or
/// two. What decodes them keeps them in a dictionary, to which they are one, and would lose a value without a word.
struct JSONNames {
    /// A string in a text, without its quotation marks.
    struct Name {
        let start: Int
        let end: Int
        let hasEscapes: Bool
        /// Whether it may have another composition: it has escapes, or a scalar from U+0300 on, below which every text
        /// is in its normal form (UAX #15).
        let isComposed: Bool
    }

    private var names: [Name] = []

    var count: Int { names.count }

    mutating func append(_ name: Name) { names.append(name) }

    /// Ends an object, the names of which begin at an index: where a name stands a second time, if one does.
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

    /// Open addressing: a slot holds the index of a name, and its hash.
    /// - Parameter isComposed: Whether the composition of letters is to be looked beyond.
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

    /// - Parameter isComposed: Whether one of the object's names is; names with escapes are.
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

    /// Whether a name would take long to compare.
    static func hasTooManyMarks(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        CombiningMarks.areTooMany(in: string(name, in: text))
    }

    /// A name as Swift compares texts: by canonical equivalence.
    private static func string(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> String {
        guard name.hasEscapes else { return String(decoding: raw(name, in: text), as: UTF8.self) }
        return String(decoding: JSONUnescaping.bytes(of: raw(name, in: text)), as: UTF8.self)
    }
}
