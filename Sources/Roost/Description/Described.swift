/// A type that says itself what its values look like in JSON, because its `init(from:)` and `encode(to:)` do not show
/// it when they are observed.
///
///     struct Ring: Codable, Described {                             // "AB12", checked by init(from:)
///         static let schema: JSONValue? = ["type": "string", "pattern": "^[A-Z]{2}[0-9]{2}$"]
///         static let example = Ring("AB12")
///         …
///     }
///
/// A type whose initializer only refuses the samples that it is observed with needs an ``example`` alone.
public protocol Described {
    /// The schema of the values (JSON Schema 2020-12); nil to observe the type, as any other.
    static var schema: JSONValue? { get }
    /// A value that is shown beside the schema, and that stands for any other while types with such members are
    /// observed.
    static var example: Self { get }
}

extension Described {
    /// No schema: the type is observed.
    public static var schema: JSONValue? { nil }
}
