/// A value that belongs to an event loop: any thread may carry it, but only the loop's thread can use it.
///
/// `@unchecked Sendable`: the code that makes one has given the thing away or is on the loop's thread, and ``value``
/// checks which thread asks.
package struct LoopBound<Value>: @unchecked Sendable {
    package let loop: EventLoop
    private let content: Value

    /// Gives something to a loop.
    package init(_ content: sending Value, to loop: EventLoop) {
        self.content = content
        self.loop = loop
    }

    /// Lends something that belongs to the loop; call it on the loop's thread.
    package init(lending content: Value, of loop: EventLoop) {
        precondition(loop.isCurrent, "A value of one event loop was lent on another thread.")
        self.content = content
        self.loop = loop
    }

    /// The thing itself, on the loop's thread.
    package var value: Value {
        precondition(loop.isCurrent, "A value of one event loop was used on another thread.")
        return content
    }

    /// Uses it on the loop's thread, in the loop's next turn, and returns the result, or nil when the loop has ended;
    /// callable from any thread.
    @discardableResult
    package func run<Result: Sendable>(_ body: @escaping @Sendable (Value) -> Result) async -> Result? {
        await withCheckedContinuation { continuation in
            let isTaken = loop.submit { continuation.resume(returning: body(value)) }
            if !isTaken { continuation.resume(returning: nil) }
        }
    }
}
