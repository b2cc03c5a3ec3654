import Glibc
import Synchronization

/// The documents of each thread.
///
/// A thread usually has one; an `encode(to:)` that itself encodes takes a second. A document is never freed: what a
/// thread leaves behind goes to the next thread that needs one.
enum JSONDocuments {
    /// A document for this thread's own use, until ``giveBack(_:)``.
    @inline(__always)
    static func take() -> JSONDocument {
        guard let key, let first = pthread_getspecific(key) else { return another() }
        let document = Unmanaged<JSONDocument>.fromOpaque(first).takeUnretainedValue()
        guard !document.isBusy else { return another() }
        document.isBusy = true
        return document
    }

    /// Lets this thread use a document again.
    @inline(__always)
    static func giveBack(_ document: JSONDocument) {
        document.clear()
        document.isBusy = false
        if key == nil { orphans.withLock { $0.append(Orphan(document: document)) } }
    }

    /// A free document of this thread, of a thread that has ended, or a new one.
    @inline(never)
    private static func another() -> JSONDocument {
        let own = key.flatMap { pthread_getspecific($0) }
        let first = own.map { Unmanaged<JSONDocument>.fromOpaque($0).takeUnretainedValue() }
        var free = first
        while let document = free, document.isBusy { free = document.next?.takeUnretainedValue() }
        let document = free ?? adopted(before: first)
        document.isBusy = true
        return document
    }

    /// A document that this thread has not had before, as the first of its own.
    private static func adopted(before first: JSONDocument?) -> JSONDocument {
        let document = orphans.withLock { $0.popLast() }?.document ?? make()
        document.next = first.map { .passUnretained($0) }
        if let key { pthread_setspecific(key, Unmanaged.passUnretained(document).toOpaque()) }
        return document
    }

    /// A new document.
    static func make() -> JSONDocument {
        let document = JSONDocument()
        _ = Unmanaged.passRetained(document)
        return document
    }

    /// Where a thread keeps its first document; nil if the process has used up its keys, and then no thread keeps any.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key) { JSONDocuments.inherit($0) } == 0 ? key : nil
    }()

    /// Takes over the documents of a thread that ends.
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
    /// `@unchecked Sendable`: no thread uses it until one takes it out from under the lock.
    private struct Orphan: @unchecked Sendable {
        let document: JSONDocument
    }
}
