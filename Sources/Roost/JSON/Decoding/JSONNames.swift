/// The names of the members of all open objects, the innermost object's last. It finds names that are repeated.
///
/// Names are compared when their object ends. Up to eight are compared in pairs, by length and bytes. More, or any that
/// `isComposed`, go into a set. Swift's hash has another seed in each process, so nobody can choose names that collide.
/// Time and memory grow linearly with the text.
///
/// Canonically equivalent names are the same (UAX #15): `é` can be one scalar or two. The decoder keeps members in a
/// dictionary, to which such names are one key, and would silently lose a value.
struct JSONNames {
    /// A string in a text, without its quotation marks.
    struct Name {
        let start: Int
        let end: Int
        /// Whether comparing bytes is not enough: it has escapes, or a scalar from U+0300 on. Text below U+0300 is
        /// always in normal form C (UAX #15).
        let isComposed: Bool

        /// Its bytes as they stand there.
        func raw(in text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(rebasing: text[start..<end])
        }
    }

    private var names: [Name] = []

    var count: Int { names.count }

    mutating func append(_ name: Name) { names.append(name) }

    /// Removes the names of an object that ends. Returns the offset of a name that stands there a second time, if any.
    /// - Parameter first: The index of the object's first name.
    mutating func removeObject(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        defer { names.removeSubrange(first...) }
        guard names.count - first > 1 else { return nil }
        let isShort = names.count - first <= 8 && !names[first...].contains { $0.isComposed }
        let found = isShort ? paired(from: first, in: text) : hashed(from: first, in: text)
        return found.map { names[$0].start - 1 }
    }

    private func paired(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        for later in first..<names.count {
            let name = names[later].raw(in: text)
            for earlier in first..<later where names[earlier].raw(in: text).hasSameBytes(as: name) {
                return later
            }
        }
        return nil
    }

    private func hashed(from first: Int, in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var known = Set<String>(minimumCapacity: names.count - first)
        return (first..<names.count).first { !known.insert(names[$0].text(in: text)).inserted }
    }
}
