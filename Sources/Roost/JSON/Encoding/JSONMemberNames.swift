/// The names of members as they stand in a text: converted, escaped, in quotation marks and with a colon. Each is made
/// once.
struct JSONMemberNames {
    private let written = ByteBuffer(capacity: 256)
    /// The range of each name in `written`, by its id; empty for a name that has not been made.
    private var places: [Range<Int>] = []
    /// The id of each name in snake case, by its id; 0 where it has not been looked up.
    private var converted: [UInt32] = []
    private var isSafeInHTML = false

    /// Forgets the names if they are escaped in another way.
    @inline(__always)
    mutating func prepare(_ coder: JSONCoder) {
        guard coder.isSafeInHTML != isSafeInHTML else { return }
        isSafeInHTML = coder.isSafeInHTML
        places = []
        written.removeAll()
    }

    /// Appends a name and its colon.
    @inline(__always)
    mutating func append(_ id: UInt32, of tape: ValueTape, to output: ByteBuffer) {
        if id >= places.count || places[Int(id)].isEmpty { make(id, tape) }
        let place = places[Int(id)]
        output.append(short: written.base + place.lowerBound, count: place.count)
    }

    @inline(never)
    private mutating func make(_ id: UInt32, _ tape: ValueTape) {
        while places.count < tape.names.count { places.append(0..<0) }
        let start = written.count
        tape.names.withBytes(of: id) { JSONEscaping.append($0, to: written, isSafeInHTML: isSafeInHTML) }
        written.append(UInt8(ascii: ":"))
        places[Int(id)] = start..<written.count
    }

    /// The id of a name in snake case.
    mutating func snakeCase(_ id: UInt32, _ tape: ValueTape) -> UInt32 {
        while converted.count < tape.names.count { converted.append(0) }
        if converted[Int(id)] == 0 { converted[Int(id)] = tape.names.id(JSONSnakeCase.of(tape.names.name(id))) }
        return converted[Int(id)]
    }
}
