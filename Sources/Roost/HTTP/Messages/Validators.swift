/// What tells one state of a resource from another: a tag, and the time of its last change (RFC 9110 §8.8).
struct Validators {
    let tag: EntityTag
    /// The time of the last change, in seconds since 1970.
    let modified: Int
}
