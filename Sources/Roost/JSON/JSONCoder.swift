/// Turns values into JSON and JSON into values (RFC 8259), by one set of conventions for both directions.
///
///     let bytes = try JSONCoder().encode(users)
///     let input = try JSONCoder(keys: .snakeCase).decode(NewUser.self, from: bytes)
///
/// An application has one for all that it sends and receives, `Application(json:)`.
///
/// Writing goes straight from `Encodable` to UTF-8, without a tree between. Only for a type that writes to several
/// containers in turn is there a tree, and its `encode(to:)` is called a second time.
///
/// Reading scans the bytes strictly first, so nothing that another parser would understand differently gets through,
/// and then makes the value.
///
/// It is a *coder* because it encodes and decodes, and so that FoundationEssentials' `JSONEncoder` and `JSONDecoder`
/// keep their names in files that import both.
public struct JSONCoder: Sendable {
    /// How the names of members are written.
    public var keys: Keys
    /// How dates are written.
    public var dates: Dates
    /// Whether a member without a value is left out or `null`.
    public var nils: Nils
    /// What becomes of numbers that JSON cannot hold.
    public var floats: Floats
    /// Who reads the text.
    public var layout: Layout
    /// Whether `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that the text may stand inside a `<script>` element.
    public var isSafeInHTML: Bool
    /// How deep arrays and objects may nest, in both directions; a deeper document is an error.
    public var maximumDepth: Int
    /// How many members an object may have when it is read; one with more is an error.
    public var maximumMembers: Int
    /// How many values, in arrays and objects of any depth and these themselves, a text may have when it is read; one
    /// with more is an error. Each takes about a microsecond to make, however short it is.
    public var maximumValues: Int
    /// What `Encodable` and `Decodable` types find in their coder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// A coder for programs: compact, keys as they are, dates as ISO 8601, no member for nil, at most 128 levels deep,
    /// and reading no more than 10,000 members in an object and 200,000 values in all.
    public init(
        keys: Keys = .asWritten,
        dates: Dates = .iso8601,
        nils: Nils = .omitted,
        floats: Floats = .refused,
        layout: Layout = .compact,
        isSafeInHTML: Bool = false,
        maximumDepth: Int = 128,
        maximumMembers: Int = 10_000,
        maximumValues: Int = 200_000,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keys = keys
        self.dates = dates
        self.nils = nils
        self.floats = floats
        self.layout = layout
        self.isSafeInHTML = isSafeInHTML
        self.maximumDepth = maximumDepth
        self.maximumMembers = maximumMembers
        self.maximumValues = maximumValues
        self.userInfo = userInfo
    }
}
