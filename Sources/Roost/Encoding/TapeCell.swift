/// One value on a ``ValueTape``.
struct TapeCell: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        /// A cell that has not been written yet.
        case vacant
        /// An optional member that is nil: whoever reads the tape decides whether it exists.
        case absent
        case null, bool, int, uint, double, text, object, list
        /// A number by its digits, for those that no word holds.
        case digits
        /// Seconds since 1970.
        case date
        /// One of the ``ValueTape/functions``.
        case function
    }

    /// The id of the member's name; 0 for an element of a list.
    var name: UInt32
    /// The cell of the next member or element of the same container; 0 after the last.
    var next: UInt32 = 0
    var kind = Kind.vacant
    /// Whether the names of the members are data, as those of a dictionary are.
    var hasDataNames = false
    /// Whether the order of the members means nothing, as that of a dictionary does.
    var isUnordered = false
    /// Whether the cell's own name is data, see ``Fields/add(named:_:)``.
    var isDataName = false
    /// The number of a text's bytes, or of a container's members.
    var count: UInt32 = 0
    /// A number's bits, a text's offset, a function's index, or a container's first (low half) and last (high half)
    /// member.
    var payload: UInt64 = 0

    @inline(__always) var first: UInt32 { UInt32(truncatingIfNeeded: payload) }
    @inline(__always) var last: UInt32 { UInt32(truncatingIfNeeded: payload &>> 32) }
}
