/// A step of a coding path: a member's name or an element's index.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }
}

/// The steps of JSON pointers (RFC 6901).
enum JSONPointer {
    /// The step to a member: after a slash its name, in which `~` is written `~0` and `/` is written `~1` (§3).
    static func step(to name: String) -> String {
        "/" + name.unicodeScalars.map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
    }
}
