import Glibc

/// The object that each thread keeps for its next piece of work.
///
/// Work inside such work takes a second object. The one that is given back first is kept, the other is released. A
/// thread that ends releases its own.
struct ThreadKept<Value: Reusable>: Sendable {
    private let key: pthread_key_t?

    init() {
        var key = pthread_key_t()
        let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { kept in
            guard let kept else { return }
            (Unmanaged<AnyObject>.fromOpaque(kept).takeRetainedValue() as? any Reusable)?.release()
        }
        self.key = pthread_key_create(&key, release) == 0 ? key : nil
    }

    /// The kept object; nil when there is none. Nobody else gets it before ``giveBack(_:)``.
    @inline(__always)
    func take() -> Value? {
        guard let key, let kept = pthread_getspecific(key) else { return nil }
        pthread_setspecific(key, nil)
        return Unmanaged<Value>.fromOpaque(kept).takeRetainedValue()
    }

    /// Keeps an object for this thread's next work, unless the thread has one.
    @inline(__always)
    func giveBack(_ value: Value) {
        guard value.clear(), let key, pthread_getspecific(key) == nil else { return value.release() }
        let kept = Unmanaged.passRetained(value)
        if pthread_setspecific(key, kept.toOpaque()) == 0 { return }
        kept.release()
        value.release()
    }
}

/// Memory that serves one piece of work after another, such as the text that an encoder writes.
protocol Reusable: AnyObject {
    /// Forgets the last piece of work.
    /// - Returns: Whether the next one can use it.
    func clear() -> Bool
    /// Lets go of what refers to it, so that its memory is released; the default is for what nothing refers to.
    func release()
}

extension Reusable {
    func release() {}
}
