/// Turns values into JSON and JSON into values (RFC 8259), by one set of conventions for both directions.
///
///     let bytes = try JSONCoder().encode(users)
///     let input = try JSONCoder(keys: .snakeCase).decode(NewUser.self, from: bytes)
///
/// Writing goes straight from `Encodable` to UTF-8, without a tree between. Reading scans the bytes strictly first, so
/// nothing that another parser would understand differently gets through, and then makes the value.
///
/// It is a *coder* because it encodes and decodes, and so that FoundationEssentials' `JSONEncoder` and `JSONDecoder`
/// keep their names in files that import both.
public struct JSONCoder: Sendable {
    /// How the names of members are written.
    public var keys: Keys
    /// How dates are written.
    public var dates: Dates
    /// What becomes of numbers that JSON cannot hold.
    public var floats: Floats
    /// Who reads the text.
    public var layout: Layout
    /// Whether `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that the text may stand inside a `<script>` element.
    public var isSafeInHTML: Bool
    /// How deep arrays and objects may nest, in both directions; a deeper document is an error.
    public var maximumDepth: Int
    /// What `Encodable` and `Decodable` types find in their coder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// A coder for programs: compact, keys as they are, dates as ISO 8601, at most 128 levels deep.
    public init(
        keys: Keys = .asWritten,
        dates: Dates = .iso8601,
        floats: Floats = .refused,
        layout: Layout = .compact,
        isSafeInHTML: Bool = false,
        maximumDepth: Int = 128,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keys = keys
        self.dates = dates
        self.floats = floats
        self.layout = layout
        self.isSafeInHTML = isSafeInHTML
        self.maximumDepth = maximumDepth
        self.userInfo = userInfo
    }
}
