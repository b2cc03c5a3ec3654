/// The validators of a resource's state (RFC 9110 §8.8): a tag, and the time of its last change.
struct Validators {
    let tag: EntityTag
    /// The time of the last change, in seconds since 1970.
    let modified: Int
}
