/// A name or an index on the way to a value in a JSON document.
struct JSONKey: CodingKey {
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

    /// The name that a base class is written under.
    static let base = JSONKey(stringValue: "super")
}
