import Glibc
import Synchronization

/// The documents that are not being written, for each thread.
///
/// A thread usually has one; an `encode(to:)` that itself encodes takes a second. A document is never freed: what a
/// thread leaves behind goes to the next thread that needs one.
enum JSONDocuments {
    /// A document of this thread's own until it is given back.
    static func take() -> JSONDocument {
        guard let free = pthread_getspecific(key) else { return orphans.withLock { $0.popLast() }?.document ?? make() }
        let document = Unmanaged<JSONDocument>.fromOpaque(free).takeUnretainedValue()
        pthread_setspecific(key, document.next?.toOpaque())
        return document
    }

    /// Lets this thread use a document again.
    static func giveBack(_ document: JSONDocument) {
        document.clear()
        document.next = pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
        pthread_setspecific(key, Unmanaged.passUnretained(document).toOpaque())
    }

    private static func make() -> JSONDocument {
        let document = JSONDocument()
        _ = Unmanaged.passRetained(document)
        return document
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { JSONDocuments.inherit($0) }
        return key
    }()

    /// Takes over the free documents of a thread that ends.
    private static func inherit(_ first: UnsafeMutableRawPointer?) {
        var next = first.map { Unmanaged<JSONDocument>.fromOpaque($0) }
        while let document = next?.takeUnretainedValue() {
            next = document.next
            orphans.withLock { $0.append(Orphan(document: document)) }
        }
    }

    private static let orphans = Mutex<[Orphan]>([])

    /// A document whose thread has ended.
    ///
    /// Sendable, because no thread uses it until one takes it out from under the lock.
    private struct Orphan: @unchecked Sendable {
        let document: JSONDocument
    }
}
