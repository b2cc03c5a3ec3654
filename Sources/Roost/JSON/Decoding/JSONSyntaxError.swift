/// An error for a text that is refused as JSON, with the place of the mistake. The response's status is 400.
public struct JSONSyntaxError: Error, Sendable, Equatable {
    /// The offset in bytes of what is wrong, from 0; the text's length if it ends too early.
    public let offset: Int
    /// The mistake in the text.
    public let reason: Reason

    /// A mistake in a JSON text (RFC 8259).
    public enum Reason: Sendable, Equatable {
        /// The text ends before its value does. Any prefix of a valid text is valid itself, or has this reason.
        case endsEarly
        /// A value must stand here (§3).
        case valueExpected
        /// The name of a member must stand here (§4).
        case nameExpected
        /// A colon must follow the name (§4).
        case colonExpected
        /// A comma or `]` must follow the element (§5).
        case endOfArrayExpected
        /// A comma or `}` must follow the member (§4).
        case endOfObjectExpected
        /// Bytes after the value (§2).
        case trailingBytes
        /// The text begins with U+FEFF, which must not be added (§8.1).
        case byteOrderMark
        /// A digit follows the zero that begins a number, as in `01` (§6).
        case leadingZero
        /// A digit must stand here (§6).
        case digitExpected
        /// A control character stands unescaped in a string (§7).
        case controlCharacter
        /// A backslash begins no escape (§7).
        case invalidEscape
        /// An escaped surrogate has no partner, so the string is not Unicode (§8.2).
        case loneSurrogate
        /// The bytes are not UTF-8 (§8.1, RFC 3629 §4).
        case invalidUTF8
        /// Arrays and objects nest deeper than the limit (§9).
        case tooDeep
        /// An object has more members than the limit (§9).
        case tooManyMembers
        /// A name, or a text of more than 1 KiB from a client, has more than 30 combining marks in a row (UAX #15
        /// §13).
        case tooManyMarks
        /// More values than the limit (§9).
        case tooManyValues
        /// Two members of one object have the same name, which parsers resolve differently (§4).
        case repeatedName
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// One sentence that a client may read.
    public var description: String { "The JSON is malformed at byte \(offset): \(reason)." }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    /// The mistake in words that end a sentence: `it ends too early`.
    public var description: String {
        switch self {
        case .endsEarly: "it ends too early"
        case .valueExpected: "a value was expected"
        case .nameExpected: "a name in quotation marks was expected"
        case .colonExpected: "a colon was expected"
        case .endOfArrayExpected: "a comma or ] was expected"
        case .endOfObjectExpected: "a comma or } was expected"
        case .trailingBytes: "nothing may follow the value"
        case .byteOrderMark: "it must not begin with a byte order mark"
        case .leadingZero: "a number must not have a leading zero"
        case .digitExpected: "a digit was expected"
        case .controlCharacter: "a control character in a string must be escaped"
        case .invalidEscape: "there is no such escape"
        case .loneSurrogate: "half of a surrogate pair is not a character"
        case .invalidUTF8: "it is not UTF-8"
        case .tooDeep: "arrays and objects are nested too deeply"
        case .tooManyMembers: "an object has too many members"
        case .tooManyMarks: "a name or a long text has too many combining marks in a row"
        case .tooManyValues: "there are too many values"
        case .repeatedName: "the object has this name already"
        }
    }
}
