/// An error for a text that is refused as JSON, with the place of the mistake. The response's status is 400.
public struct JSONSyntaxError: Error, Sendable, Equatable {
    /// The offset in bytes of what is wrong, from 0; the text's length if it ends too early.
    public let offset: Int
    /// The mistake in the text.
    public let reason: Reason

    /// A mistake in a JSON text (RFC 8259).
    public enum Reason: String, Sendable, Equatable {
        /// The text ends before its value does. Any prefix of a valid text is valid itself, or has this reason.
        case endsEarly = "it ends too early"
        /// A value must stand here (§3).
        case valueExpected = "a value was expected"
        /// The name of a member must stand here (§4).
        case nameExpected = "a name in quotation marks was expected"
        /// A colon must follow the name (§4).
        case colonExpected = "a colon was expected"
        /// A comma or `]` must follow the element (§5).
        case endOfArrayExpected = "a comma or ] was expected"
        /// A comma or `}` must follow the member (§4).
        case endOfObjectExpected = "a comma or } was expected"
        /// Bytes after the value (§2).
        case trailingBytes = "nothing may follow the value"
        /// The text begins with U+FEFF, which must not be added (§8.1).
        case byteOrderMark = "it must not begin with a byte order mark"
        /// A digit follows the zero that begins a number, as in `01` (§6).
        case leadingZero = "a number must not have a leading zero"
        /// A digit must stand here (§6).
        case digitExpected = "a digit was expected"
        /// A control character stands unescaped in a string (§7).
        case controlCharacter = "a control character in a string must be escaped"
        /// A backslash begins no escape (§7).
        case invalidEscape = "there is no such escape"
        /// An escaped surrogate has no partner, so the string is not Unicode (§8.2).
        case loneSurrogate = "half of a surrogate pair is not a character"
        /// The bytes are not UTF-8 (§8.1, RFC 3629 §4).
        case invalidUTF8 = "it is not UTF-8"
        /// Arrays and objects nest deeper than the limit (§9).
        case tooDeep = "arrays and objects are nested too deeply"
        /// An object has more members than the limit (§9).
        case tooManyMembers = "an object has too many members"
        /// A name, or a text of more than 1 KiB from a client, has more than 30 combining marks in a row (UAX #15
        /// §13).
        case tooManyMarks = "a name or a long text has too many combining marks in a row"
        /// More values than the limit (§9).
        case tooManyValues = "there are too many values"
        /// Two members of one object have the same name, which parsers resolve differently (§4).
        case repeatedName = "the object has this name already"
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// One sentence that a client may read.
    public var description: String { "The JSON is malformed at byte \(offset): \(reason)." }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    /// The mistake in words that end a sentence: `it ends too early`.
    public var description: String { rawValue }
}
