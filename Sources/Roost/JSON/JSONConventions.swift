extension JSONCoder {
    /// A convention for the names of members.
    public enum Keys: Sendable {
        /// Names are written as the coding keys have them.
        case asWritten
        /// `userName` becomes `user_name`. A dictionary's keys are data: they are written unchanged, and also read so
        /// if they are `String`s. Others, such as an enumeration's, are converted when they are read.
        ///
        /// A coding key with several capitals in a row is not read back: `userID` is written as `user_id`, which is
        /// read as `userId`. Give such a property another coding key, `case userID = "userId"`.
        ///
        /// A member `userId` is read, too. If an object has both `userId` and `user_id`, one of them is lost; if
        /// unknown members are refused, so is the object.
        case snakeCase
    }

    /// A format of dates. Either string format reads any fraction of a second, or none, and any offset from UTC; it
    /// refuses a day or a time that does not exist.
    public enum Dates: Sendable {
        /// A string in UTC to the second, `2026-01-31T12:00:00Z` (RFC 3339 §5.6).
        case iso8601
        /// A string in UTC to the millisecond, `2026-01-31T12:00:00.000Z`, as JavaScript writes it.
        case iso8601WithMilliseconds
        /// A number of seconds since 1970-01-01T00:00:00Z, with a fraction.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
    }

    /// A way to write an optional member that is nil. It is read as nil either way.
    public enum Nils: Sendable {
        /// The member is left out.
        case omitted
        /// The member is written as `null`.
        case null
    }

    /// A treatment of the numbers that JSON cannot hold (RFC 8259 §6).
    public enum Floats: Sendable {
        /// Infinities and NaN are an `EncodingError`.
        case refused
        /// Infinities and NaN are the strings `"Infinity"`, `"-Infinity"` and `"NaN"`.
        case strings
    }

    /// A treatment of members that an input type does not have.
    public enum UnknownMembers: Sendable {
        /// Unknown members are skipped, so that clients may send more than is needed.
        case ignored
        /// Unknown members are errors, so that a misspelt one is noticed. The same holds for the parameters of a query
        /// that is decoded where this coder is used. Reading takes about twice as long.
        case refused
    }

    /// The layout of a text, as a set of choices.
    public struct Layout: OptionSet, Sendable {
        /// The bits of the choices.
        public let rawValue: Int

        /// A set of choices.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// No white space, members in the order in which they were encoded, but those of a dictionary in the order of
        /// their names' UTF-8: for programs.
        public static let compact: Layout = []
        /// A member or element a line, indented by two spaces: for people.
        public static let pretty = Layout(rawValue: 1)
        /// Members of every object in the order of their names' UTF-8: for tests and diffs.
        public static let sorted = Layout(rawValue: 2)
    }
}
