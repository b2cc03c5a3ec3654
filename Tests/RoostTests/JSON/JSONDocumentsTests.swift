import Glibc
import Synchronization
import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `The documents of a thread` {
    @Test func `a thread takes over the document of one that ended`() {
        for count in 1...20 {
            Self.text.withLock { $0 = "" }
            var thread = pthread_t()
            let encode: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
                let text = try? JSONCoder().string(["a": [1.5, 2]])
                Self.text.withLock { $0 = text ?? "" }
                return nil
            }
            #expect(pthread_create(&thread, nil, encode, nil) == 0)
            pthread_join(thread, nil)
            #expect(Self.text.withLock { $0 } == "{\"a\":[1.5,2]}", "thread \(count)")
        }
    }

    private static let text = Mutex("")

    @Test func `a document in use is not given out again`() {
        let first = JSONDocuments.take()
        let second = JSONDocuments.take()
        let third = JSONDocuments.take()
        #expect(first !== second && second !== third && first !== third)
        for document in [first, second, third] { JSONDocuments.giveBack(document) }
        let again = JSONDocuments.take()
        #expect([first, second, third].contains { $0 === again })
        JSONDocuments.giveBack(again)
    }

    @Test func `a large text leaves no large buffer behind`() throws {
        let text = String(repeating: "a", count: 1_000_000)
        #expect(try JSONCoder().encode(text).count == 1_000_002)
        let document = JSONDocuments.take()
        #expect(document.buffer.capacity <= 65_536)
        JSONDocuments.giveBack(document)
    }

    @Test func `a text of any size is written whole`() throws {
        for count in [0, 1, 500, 1023, 1024, 1025, 70_000] {
            let bytes = try JSONCoder().encode([String](repeating: "\"", count: count))
            #expect(bytes.count == max(2, count * 5 + 1))
        }
    }
}
