/// Turns values into JSON and JSON into values (RFC 8259). One set of conventions holds for both directions.
///
///     let bytes = try JSONCoder().encode(users)
///     let input = try JSONCoder(keys: .snakeCase).decode(NewUser.self, from: bytes)
///
/// An application has one coder for all that it sends and receives, `Application(json:)`.
///
/// Encoding lets a value write itself once, even into several containers in turn, and then writes the text. Two members
/// with the same name in one object are an error.
///
/// Decoding first scans all bytes strictly, so that nothing gets through that another parser would read differently.
/// Then it makes the value.
///
/// The names `JSONEncoder` and `JSONDecoder` are left to FoundationEssentials, for files that import both.
public struct JSONCoder: Sendable {
    /// The convention for the names of members.
    public var keys: Keys
    /// The format of dates.
    public var dates: Dates
    /// Whether a member without a value is left out or `null`.
    public var nils: Nils
    /// The treatment of numbers that JSON cannot hold.
    public var floats: Floats
    /// The treatment of members that an input type does not have.
    public var unknownMembers: UnknownMembers
    /// The layout of the text: compact, indented or sorted.
    public var layout: Layout
    /// Whether `<`, `>`, `&`, U+2028 and U+2029 are escaped, so that the text may stand inside a `<script>` element.
    public var isSafeInHTML: Bool
    /// The greatest depth of nested arrays and objects, in both directions; a deeper document is an error. Whatever it
    /// is, nothing deeper than 1,000 is written, and nothing deeper than 512 is decoded.
    public var maximumDepth: Int
    /// The greatest depth that is written.
    var writtenDepth: Int { min(max(maximumDepth, 0), 1000) }
    /// The greatest depth that is decoded: FoundationEssentials' decoder reads nothing deeper.
    var decodedDepth: Int { min(maximumDepth, 512) }
    /// The most members that an object may have when it is read; one with more is an error.
    public var maximumMembers: Int
    /// The most values that a text may have when it is read, at any depth, including arrays and objects; a text with
    /// more is an error. Each takes about a microsecond to decode, however short it is, and longer to become a
    /// ``JSONValue`` the deeper it lies. So the sum of the depths of all values is limited, too, when a text is
    /// decoded: to 20 times this number, or to 4 million if that is more.
    public var maximumValues: Int
    /// The `userInfo` of the coders that `Encodable` and `Decodable` types get.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// A coder for programs: compact, keys as they are, dates as ISO 8601, no member for nil, at most 128 levels deep,
    /// and reading no more than 10,000 members in an object and 200,000 values in all.
    public init(
        keys: Keys = .asWritten,
        dates: Dates = .iso8601,
        nils: Nils = .omitted,
        floats: Floats = .refused,
        unknownMembers: UnknownMembers = .ignored,
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
        self.unknownMembers = unknownMembers
        self.layout = layout
        self.isSafeInHTML = isSafeInHTML
        self.maximumDepth = maximumDepth
        self.maximumMembers = maximumMembers
        self.maximumValues = maximumValues
        self.userInfo = userInfo
    }
}
