/// Names, and the ids that stand for them while rendering; 0 stands for no name.
///
/// A page looks up each of its fields, so names are found by their bytes, eight at a time: hashed with a number that
/// only this process knows, and compared with the one or two whose hashes are alike.
struct TemplateNameTable: Sendable {
    private(set) var names = [""]
    /// The ids, each at its hash or at the next free place; 0 is a free place. At least half of the places are free.
    private var places: [UInt32] = Array(repeating: 0, count: 16)

    var count: UInt32 { UInt32(truncatingIfNeeded: names.count) }

    /// The id of a name; nil if it has none.
    func id(of name: String) -> UInt32? {
        var name = name
        return name.withUTF8 { id(of: $0) }
    }

    /// The id of a name in UTF-8; nil if it has none.
    func id(of name: UnsafeBufferPointer<UInt8>) -> UInt32? {
        let id = places[place(of: name)]
        return id == 0 ? nil : id
    }

    /// The id of a name. A name without one gets the next.
    mutating func intern(_ name: String) -> UInt32 {
        if let id = id(of: name) { return id }
        let id = count
        names.append(name)
        if names.count * 2 > places.count {
            places = Array(repeating: 0, count: places.count * 2)
            for known in 1..<id { note(known) }
        }
        note(id)
        return id
    }

    private mutating func note(_ id: UInt32) {
        var name = names[Int(id)]
        places[name.withUTF8 { place(of: $0) }] = id
    }

    /// Where a name's id is, or where it would be.
    private func place(of name: UnsafeBufferPointer<UInt8>) -> Int {
        var place = Self.hash(name) & (places.count - 1)
        while places[place] != 0, !isName(places[place], name) { place = (place + 1) & (places.count - 1) }
        return place
    }

    private func isName(_ id: UInt32, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        names[Int(id)].utf8.withContiguousStorageIfAvailable { $0.hasSameBytes(as: name) } ?? false
    }

    /// Nobody outside can choose names that collide, as keys of a dictionary that becomes a page.
    private static let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1)

    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        let secret = secret
        var hash = secret.0 ^ UInt64(truncatingIfNeeded: name.count)
        var index = 0
        while index < name.count {
            let (high, low) = (hash ^ name.word(at: index)).multipliedFullWidth(by: secret.1)
            hash = high ^ low
            index &+= 8
        }
        return Int(truncatingIfNeeded: hash &>> 8)
    }
}
