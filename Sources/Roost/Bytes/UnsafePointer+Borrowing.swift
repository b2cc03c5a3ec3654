extension UnsafePointer where Pointee: ~Copyable {
    /// Lets `body` read the value at this address where it is. Generic code that calls a method of `pointee` copies the
    /// whole value first.
    @inline(__always)
    func borrowed(_ body: (borrowing Pointee) throws -> Void) rethrows { try body(pointee) }
}
