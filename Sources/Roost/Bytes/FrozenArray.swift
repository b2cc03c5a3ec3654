/// Plain values that never change, in memory that is read without counting references. To read an element of an array
/// retains the array.
///
/// `@unchecked Sendable`: only its initializer writes.
struct FrozenArray<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
    let base: UnsafePointer<Element>
    private let count: Int

    init(_ elements: [Element]) {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
        memory.initialize(from: elements, count: elements.count)
        base = UnsafePointer(memory)
        count = elements.count
    }

    deinit { base.deallocate() }

    /// The elements, valid as long as this is.
    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count)
        return base[index]
    }
}
