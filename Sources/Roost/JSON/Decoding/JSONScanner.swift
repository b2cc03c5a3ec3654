/// Checks that bytes are one JSON text (RFC 8259 §2) that every parser reads in the same way.
///
///     JSON-text = ws value ws
///     value     = false / null / true / object / array / number / string
///     object    = %x7B ws [ member *( ws %x2C ws member ) ws ] %x7D
///     member    = string ws %x3A ws value
///     array     = %x5B ws [ value *( ws %x2C ws value ) ws ] %x5D
///     ws        = *( %x20 / %x09 / %x0A / %x0D )
///
/// One pass that builds no values. Open arrays and objects are kept on a stack in memory, so nesting does not use the
/// thread's stack. The index never leaves `0...count`, which is why its arithmetic may go unchecked (`&+`).
struct JSONScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    let maximumDepth: Int
    let maximumMembers: Int
    let maximumValues: Int
    var index = 0
    private var values = 0
    /// The sum of the depths of all values, and the most that it may be: a value may take the longer to decode the
    /// deeper it lies.
    private var weight = 0
    let maximumWeight: Int
    /// Whether texts that are values, too, have a limit of combining marks.
    private let limitsMarks: Bool
    private var open: [Level] = []
    private var names = JSONNames()

    /// An array or object around the current byte.
    private struct Level {
        let isObject: Bool
        /// The number of `names` that belong to the objects around it.
        let outerNames: Int
    }

    /// The tokens that may come next.
    private enum Expectation {
        case value
        case elementOrEnd
        case name
        case nameOrEnd
        case commaOrEnd
    }

    init(
        _ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumMembers: Int = .max, maximumValues: Int = .max,
        maximumWeight: Int = .max, limitsMarks: Bool = false
    ) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        self.maximumMembers = maximumMembers
        self.maximumValues = maximumValues
        self.maximumWeight = maximumWeight
        self.limitsMarks = limitsMarks
    }

    /// Scans the whole text.
    mutating func scan() throws(JSONSyntaxError) {
        // RFC 8259 §8.1: a parser may ignore a byte order mark, but not every parser does.
        if bytes.starts(with: "\u{FEFF}".utf8) { throw failure(.byteOrderMark) }
        var next = Expectation.value
        repeat {
            skipSpace()
            next = try step(next)
        } while !(open.isEmpty && next == .commaOrEnd)
        skipSpace()
        if index < bytes.count { throw failure(.trailingBytes) }
    }

    @inline(__always)
    private mutating func step(_ next: Expectation) throws(JSONSyntaxError) -> Expectation {
        switch next {
        case .value: return try value()
        case .elementOrEnd: return current == UInt8(ascii: "]") ? try close() : .value
        case .nameOrEnd: return current == UInt8(ascii: "}") ? try close() : .name
        case .name:
            try name()
            return .value
        case .commaOrEnd: return try commaOrEnd()
        }
    }

    /// The byte at the index; nil at the end.
    @inline(__always)
    var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// An error at the current byte. At the end of the text, it is always `endsEarly`.
    func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
        JSONSyntaxError(offset: index, reason: index < bytes.count ? reason : .endsEarly)
    }

    @inline(__always)
    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index &+= 1 }
    }
}

// MARK: - Texts that have been scanned

extension JSONScanner {
    /// A scanner at the value of a text that has been scanned before.
    init(scanned bytes: UnsafeBufferPointer<UInt8>) {
        self.init(bytes, maximumDepth: .max)
        skipSpace()
    }

    /// A scanner at the first value for which a condition holds, of those in the object or the array that begins here.
    /// What follows it is not read. So following a path, however deep, reads the text once.
    /// - Parameter isWanted: Gets the name of a member, or nil for an element, and the scanner at its value, which may
    ///   pass that.
    func part(
        where isWanted: (JSONNames.Name?, inout JSONScanner) throws(JSONSyntaxError) -> Bool
    ) throws(JSONSyntaxError) -> JSONScanner? {
        let isObject = current == UInt8(ascii: "{")
        guard isObject || current == UInt8(ascii: "[") else { return nil }
        var part = self
        repeat {
            part.index &+= 1
            part.skipSpace()
            if part.current == UInt8(ascii: "}") || part.current == UInt8(ascii: "]") { return nil }
            var name: JSONNames.Name?
            if isObject {
                name = try part.string()
                part.skipSpace()
                part.index &+= 1  // the colon
                part.skipSpace()
            }
            if try isWanted(name, &part) { return part }
            try part.skipRest()
        } while part.current == UInt8(ascii: ",")
        return nil
    }

    /// Passes what is left of a member or an element, up to a comma or a bracket.
    private mutating func skipRest() throws(JSONSyntaxError) {
        var depth = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                _ = try string()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth &+= 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth &-= 1
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            index &+= 1
        }
    }
}

// MARK: - Values

extension JSONScanner {
    @inline(__always)
    private mutating func value() throws(JSONSyntaxError) -> Expectation {
        values &+= 1
        guard values <= maximumValues else { throw failure(.tooManyValues) }
        weight &+= open.count
        guard weight <= maximumWeight else { throw failure(.tooDeep) }
        switch current {
        case UInt8(ascii: "\""): try text()
        case UInt8(ascii: "{"): return try descend(isObject: true)
        case UInt8(ascii: "["): return try descend(isObject: false)
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        case UInt8(ascii: "-"): try number()
        default:
            guard isDigit else { throw failure(.valueExpected) }
            try number()
        }
        return .commaOrEnd
    }

    /// A value that is a text. The marks of a short one can be compared quickly, however many they are.
    @inline(__always)
    private mutating func text() throws(JSONSyntaxError) {
        let text = try string()
        if limitsMarks, text.isComposed, text.end - text.start > CombiningMarks.quickSize {
            try limitMarks(of: text)
        }
    }

    @inline(never)
    private func limitMarks(of text: JSONNames.Name) throws(JSONSyntaxError) {
        guard CombiningMarks.areTooMany(in: text.text(in: bytes)) else { return }
        throw JSONSyntaxError(offset: text.start - 1, reason: .tooManyMarks)
    }

    private mutating func literal(_ text: StaticString) throws(JSONSyntaxError) {
        for offset in 0..<text.utf8CodeUnitCount {
            guard current == text.utf8Start[offset] else { throw failure(.valueExpected) }
            index &+= 1
        }
    }

    private mutating func descend(isObject: Bool) throws(JSONSyntaxError) -> Expectation {
        guard open.count < maximumDepth else { throw failure(.tooDeep) }
        open.append(Level(isObject: isObject, outerNames: names.count))
        index &+= 1
        return isObject ? .nameOrEnd : .elementOrEnd
    }

    private mutating func name() throws(JSONSyntaxError) {
        guard current == UInt8(ascii: "\"") else { throw failure(.nameExpected) }
        guard names.count - (open.last?.outerNames ?? 0) < maximumMembers else { throw failure(.tooManyMembers) }
        let name = try string()
        // Without a limit of members, it is a text that the program itself has written.
        if name.isComposed, limitsMarks || maximumMembers < .max { try limitMarks(of: name) }
        names.append(name)
        skipSpace()
        guard current == UInt8(ascii: ":") else { throw failure(.colonExpected) }
        index &+= 1
    }

    @inline(__always)
    private mutating func commaOrEnd() throws(JSONSyntaxError) -> Expectation {
        let isInObject = open.last?.isObject ?? false
        switch current {
        case UInt8(ascii: ","):
            index &+= 1
            return isInObject ? .name : .value
        case UInt8(ascii: "]") where !isInObject: return try close()
        case UInt8(ascii: "}") where isInObject: return try close()
        default: throw failure(isInObject ? .endOfObjectExpected : .endOfArrayExpected)
        }
    }

    private mutating func close() throws(JSONSyntaxError) -> Expectation {
        index &+= 1
        if let level = open.popLast(), level.isObject,
            let repeated = names.removeObject(from: level.outerNames, in: bytes)
        {
            throw JSONSyntaxError(offset: repeated, reason: .repeatedName)
        }
        return .commaOrEnd
    }
}

/// Numbers (RFC 8259 §6).
///
///     number = [ "-" ] int [ frac ] [ exp ]
///     int    = "0" / ( %x31-39 *DIGIT )
///     frac   = "." 1*DIGIT
///     exp    = ( "e" / "E" ) [ "-" / "+" ] 1*DIGIT
extension JSONScanner {
    mutating func number() throws(JSONSyntaxError) {
        if current == UInt8(ascii: "-") { index &+= 1 }
        if current == UInt8(ascii: "0") {
            index &+= 1
            if isDigit { throw failure(.leadingZero) }
        } else {
            try digits()
        }
        if current == UInt8(ascii: ".") {
            index &+= 1
            try digits()
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            index &+= 1
            if current == UInt8(ascii: "-") || current == UInt8(ascii: "+") { index &+= 1 }
            try digits()
        }
    }

    private mutating func digits() throws(JSONSyntaxError) {
        guard isDigit else { throw failure(.digitExpected) }
        while isDigit { index &+= 1 }
    }

    /// Whether the current byte is a digit.
    @inline(__always)
    var isDigit: Bool {
        guard let current else { return false }
        return current.isDigit
    }
}
