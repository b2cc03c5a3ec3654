/// A value that is being written at the end of a text but belongs before an offset.
struct JSONDetour {
    /// The index of the place it belongs to.
    let place: Int
    /// Where it belongs.
    let target: Int
    /// How many bytes it replaces there.
    let replaced: Int
    /// Where it begins now.
    let start: Int
    /// The document's innermost open place and floor before.
    let outerTop: Int
    let outerFloor: Int
}
