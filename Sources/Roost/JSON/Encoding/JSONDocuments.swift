import Glibc

/// The document that each thread keeps for its next text.
///
/// An `encode(to:)` that itself encodes takes a second document. The one that is given back first is kept, the other is
/// released. A thread that ends releases its own.
enum JSONDocuments {
    /// A document for one text. Nobody else gets it before ``giveBack(_:)``.
    @inline(__always)
    static func take() -> JSONDocument {
        guard let key, let kept = pthread_getspecific(key) else { return JSONDocument() }
        pthread_setspecific(key, nil)
        return Unmanaged<JSONDocument>.fromOpaque(kept).takeRetainedValue()
    }

    /// Keeps a document for this thread's next text, unless it has one.
    @inline(__always)
    static func giveBack(_ document: JSONDocument) {
        document.clear()
        if let key, pthread_getspecific(key) == nil, keep(document, key) { return }
        document.containers.forget()
    }

    @inline(__always)
    private static func keep(_ document: JSONDocument, _ key: pthread_key_t) -> Bool {
        let kept = Unmanaged.passRetained(document)
        if pthread_setspecific(key, kept.toOpaque()) == 0 { return true }
        kept.release()
        return false
    }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let letGo: @convention(c) (UnsafeMutableRawPointer?) -> Void = { kept in
            guard let kept else { return }
            Unmanaged<JSONDocument>.fromOpaque(kept).takeRetainedValue().containers.forget()
        }
        return pthread_key_create(&key, letGo) == 0 ? key : nil
    }()
}
