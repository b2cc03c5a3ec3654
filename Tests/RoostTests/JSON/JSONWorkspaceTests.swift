import Glibc
import Synchronization
import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `The workspaces of a thread` {
    private final class Seen: Sendable {
        let documents = Mutex<[Weak]>([])
    }

    /// Sendable, because a weak reference is only asked whether there is still something.
    private struct Weak: @unchecked Sendable {
        weak var document: JSONWorkspace?
    }

    @Test func `a thread that ends leaves none behind`() {
        let seen = Seen()
        for _ in 1...3 {
            let work: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { seen in
                guard let seen else { return nil }
                _ = try? JSONCoder().string(["a": [1.5, 2]])
                let document = JSONWorkspace.take()
                Unmanaged<Seen>.fromOpaque(seen).takeUnretainedValue().documents.withLock {
                    $0.append(Weak(document: document))
                }
                JSONWorkspace.giveBack(document)
                return nil
            }
            var thread = pthread_t()
            #expect(pthread_create(&thread, nil, work, Unmanaged.passUnretained(seen).toOpaque()) == 0)
            pthread_join(thread, nil)
        }
        let left = seen.documents.withLock { $0 }
        #expect(left.count == 3)
        #expect(left.allSatisfy { $0.document == nil })
    }

    @Test func `a document that is not kept is freed`() throws {
        let kept = JSONWorkspace.take()
        var second: JSONWorkspace? = JSONWorkspace.take()
        weak let seen = second
        try second?.write(["a": 1], by: JSONCoder())
        JSONWorkspace.giveBack(kept)
        if let document = second.take() { JSONWorkspace.giveBack(document) }
        #expect(seen == nil)
    }

    @Test func `a document in use is not given out again`() {
        let first = JSONWorkspace.take()
        let second = JSONWorkspace.take()
        let third = JSONWorkspace.take()
        #expect(first !== second && second !== third && first !== third)
        for document in [first, second, third] { JSONWorkspace.giveBack(document) }
        let again = JSONWorkspace.take()
        #expect([first, second, third].contains { $0 === again })
        JSONWorkspace.giveBack(again)
    }

    @Test func `a large text leaves no large buffer behind`() throws {
        let text = String(repeating: "a", count: 1_000_000)
        #expect(try JSONCoder().encode(text).count == 1_000_002)
        let document = JSONWorkspace.take()
        #expect(document.output.capacity <= 65_536)
        JSONWorkspace.giveBack(document)
    }

    @Test func `a text of any size is written whole`() throws {
        for count in [0, 1, 500, 1023, 1024, 1025, 70_000] {
            let bytes = try JSONCoder().encode([String](repeating: "\"", count: count))
            #expect(bytes.count == max(2, count * 5 + 1))
        }
    }
}
