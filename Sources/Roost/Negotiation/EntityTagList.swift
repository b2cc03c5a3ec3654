/// The entity tags of a request's field, read as bytes without making ``EntityTag`` values.
///
///     If-Match = "*" / #entity-tag
enum EntityTagList {
    /// A tag as it was received.
    struct Tag {
        /// The bytes between the quotes.
        let value: UnsafeBufferPointer<UInt8>
        let isWeak: Bool

        func hasValue(_ value: String) -> Bool { self.value.elementsEqual(value.utf8) }
    }

    /// Whether a list has a tag that meets a condition; nil when the list is malformed.
    static func contains(
        _ list: UnsafeBufferPointer<UInt8>, where isWanted: (Tag) -> Bool
    ) -> Bool? {
        var isFound = false
        var index = 0
        while true {
            // Empty elements of a list are allowed (RFC 9110 §5.6.1.2).
            skip(&index, in: list) { $0 == 0x20 || $0 == 0x09 || $0 == 0x2C }
            if index == list.count { return isFound }
            guard let tag = next(&index, in: list) else { return nil }
            isFound = isFound || isWanted(tag)
            skip(&index, in: list) { $0 == 0x20 || $0 == 0x09 }
            guard index == list.count || list[index] == 0x2C else { return nil }
        }
    }

    private static func next(_ index: inout Int, in list: UnsafeBufferPointer<UInt8>) -> Tag? {
        let isWeak = list.count - index >= 2 && list[index] == UInt8(ascii: "W") && list[index + 1] == UInt8(ascii: "/")
        if isWeak { index += 2 }
        guard index < list.count, list[index] == 0x22 else { return nil }
        index += 1
        let start = index
        skip(&index, in: list) { $0 == 0x21 || $0 > 0x22 && $0 != 0x7F }
        guard index < list.count, list[index] == 0x22 else { return nil }
        index += 1
        return Tag(value: UnsafeBufferPointer(rebasing: list[start..<(index - 1)]), isWeak: isWeak)
    }

    @inline(__always)
    private static func skip(
        _ index: inout Int, in list: UnsafeBufferPointer<UInt8>, while isSkipped: (UInt8) -> Bool
    ) {
        while index < list.count, isSkipped(list[index]) { index += 1 }
    }
}
