/// Values by type, found by the type's address: what an encoder has learnt about the types that it has encoded.
///
/// Asking the runtime for a conformance or a generic type costs more than writing a small object. A program has a fixed
/// number of types, so nothing is ever removed. The table stays at most half full.
struct TypeTable<Value>: ~Copyable {
    /// The types and then the values, in one block of memory.
    private var types: UnsafeMutablePointer<ObjectIdentifier?>
    private var values: UnsafeMutablePointer<Value>
    private var capacity: Int
    private var count = 0

    /// - Parameter capacity: The number of places at the beginning, a power of two.
    init(capacity: Int = 16) {
        self.capacity = capacity
        let sizeOfTypes = capacity * MemoryLayout<ObjectIdentifier?>.stride
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: sizeOfTypes + capacity * MemoryLayout<Value>.stride,
            alignment: max(MemoryLayout<ObjectIdentifier?>.alignment, MemoryLayout<Value>.alignment))
        types = memory.initializeMemory(as: ObjectIdentifier?.self, repeating: nil, count: capacity)
        values = (memory + sizeOfTypes).bindMemory(to: Value.self, capacity: capacity)
    }

    deinit {
        for index in 0..<capacity where types[index] != nil { (values + index).deinitialize(count: 1) }
        UnsafeMutableRawPointer(types).deallocate()
    }

    /// Forgets all values and keeps the memory.
    mutating func removeAll() {
        for index in 0..<capacity where types[index] != nil {
            (values + index).deinitialize(count: 1)
            types[index] = nil
        }
        count = 0
    }

    /// The value of a type, valid until the next call.
    /// - Parameter make: Makes the value when there is none yet.
    @inline(__always)
    mutating func value(of type: Any.Type, _ make: () -> Value) -> UnsafeMutablePointer<Value> {
        let type = ObjectIdentifier(type)
        let first = first(type)
        let index = types[first] == type ? first : find(type, make)
        return values + index  // only now, because the table may have grown
    }

    /// Returns the slot at which the search for a type begins.
    @inline(__always)
    private func first(_ type: ObjectIdentifier) -> Int { Int(bitPattern: type) &>> 5 & (capacity &- 1) }

    @inline(never)
    private mutating func find(_ type: ObjectIdentifier, _ make: () -> Value) -> Int {
        let index = place(of: type)
        if types[index] != nil { return index }
        let value = make()
        if (count + 1) * 2 > capacity { grow() }
        let free = place(of: type)
        types[free] = type
        (values + free).initialize(to: value)
        count += 1
        return free
    }

    /// The place of a type, or the free place for it.
    private func place(of type: ObjectIdentifier) -> Int {
        var index = first(type)
        while let other = types[index], other != type { index = (index + 1) & (capacity - 1) }
        return index
    }

    private mutating func grow() {
        var larger = TypeTable(capacity: capacity * 2)
        for index in 0..<capacity {
            guard let type = types[index] else { continue }
            let place = larger.place(of: type)
            larger.types[place] = type
            (larger.values + place).moveInitialize(from: values + index, count: 1)
            types[index] = nil
        }
        larger.count = count
        swap(&self, &larger)
    }
}
