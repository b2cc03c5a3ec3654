import Glibc

/// The names of the members of the objects that are open, the innermost object's last.
///
/// Names are compared when their object ends: a few by length and bytes, each with each; many by a hash table, with
/// Swift's hash, whose seed differs in each process, so that nobody can choose names that collide. Either way time and
/// memory grow with the text and no faster.
struct JSONNames {
    /// A string in a text, without its quotation marks.
    struct Name {
        let start: Int
        let end: Int
        let hasEscapes: Bool
    }

    private var names: [Name] = []

    var count: Int { names.count }

    mutating func append(_ name: Name) { names.append(name) }

    /// Ends an object, the names of which begin at an index: where a name stands a second time, if one does.
    mutating func removeObject(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        defer { names.removeSubrange(first...) }
        let found = names.count - first > 8 ? hashed(from: first, in: text) : paired(from: first, in: text)
        return found.map { names[$0].start - 1 }
    }

    private func paired(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        for later in first..<names.count {
            for earlier in first..<later where isSame(names[earlier], names[later], in: text) { return later }
        }
        return nil
    }

    /// Open addressing: a slot holds the index of a name, and its hash.
    private func hashed(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var size = 32
        while size < (names.count - first) * 2 { size *= 2 }
        var slots = [(hash: Int, name: Int)](repeating: (0, -1), count: size)
        for later in first..<names.count {
            let hash = hash(of: names[later], in: text)
            var slot = hash & (size - 1)
            while slots[slot].name >= 0 {
                if slots[slot].hash == hash, isSame(names[slots[slot].name], names[later], in: text) { return later }
                slot = (slot + 1) & (size - 1)
            }
            slots[slot] = (hash, later)
        }
        return nil
    }
}

// MARK: - One name

extension JSONNames {
    private func hash(of name: Name, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        if name.hasEscapes {
            unescaped(name, in: text).withUnsafeBytes { hasher.combine(bytes: $0) }
        } else {
            hasher.combine(bytes: UnsafeRawBufferPointer(raw(name, in: text)))
        }
        return hasher.finalize()
    }

    private func isSame(_ one: Name, _ other: Name, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        if one.hasEscapes || other.hasEscapes { return unescaped(one, in: text) == unescaped(other, in: text) }
        let (one, other) = (raw(one, in: text), raw(other, in: text))
        guard one.count == other.count, let left = one.baseAddress, let right = other.baseAddress else { return false }
        return memcmp(left, right, one.count) == 0
    }

    private func raw(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: text[name.start..<name.end])
    }

    private func unescaped(_ name: Name, in text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        JSONUnescaping.bytes(of: raw(name, in: text))
    }
}
