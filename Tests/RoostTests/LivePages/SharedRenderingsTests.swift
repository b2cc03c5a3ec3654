import HTTPTypes
import RoostTesting
import Synchronization
import Testing

@testable import Roost

@Suite("Renderings that viewers share", .timeLimit(.minutes(5)))
struct SharedRenderingsTests {
    private let renderings = SharedRenderings()
    private let key = SharedRenderings.Key(
        target: ExactText("/birds"), host: ExactText("localhost"), group: ExactText("all"), accept: ExactText(""),
        language: ExactText(""), ids: [1])

    /// Lets the first of four requests make its response when the three others wait for it.
    private func outcome(_ first: Result<Response, HTTPError>, _ others: @escaping @Sendable () async -> Response)
        async throws -> [Int]
    {
        let (renderings, key) = (renderings, key)
        return try await withThrowingTaskGroup(of: Int.self) { group in
            let (begun, gate) = (Latch(), Latch())
            group.addTask {
                do {
                    return try await renderings.response(key) {
                        begun.open()
                        await gate.wait()
                        return try first.get()
                    }.status.code
                } catch is HTTPError {
                    return 0
                }
            }
            await begun.wait()
            for _ in 0..<3 {
                group.addTask { try await renderings.response(key) { await others() }.status.code }
            }
            while renderings.waiting(for: key) < 3 { try await turn() }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `one that is shared is made once`() async throws {
        let page = Response(.ok, headers: [.contentType: "text/html"], body: Body(Array("x".utf8)))
        #expect(try await outcome(.success(page)) { Response(.accepted) } == [200, 200, 200, 200])
    }

    @Test(arguments: [true, false])
    func `one that cannot be shared is made by each who waits, at the same time`(fails: Bool) async throws {
        let (count, all) = (Counted(), Latch())
        let codes = try await outcome(fails ? .failure(HTTPError(.notFound)) : .success(Response(.created))) {
            let isLast = count.next() == 3
            // None ends before all have begun.
            if isLast { all.open() }
            await all.wait()
            return Response(.accepted)
        }
        #expect(codes.filter { $0 == 202 }.count == 3)
    }

    @Test func `whoever leaves waits no longer, and the others still do`() async throws {
        let (renderings, key) = (renderings, key)
        let (begun, gate) = (Latch(), Latch())
        let page = Response(.ok, headers: [.contentType: "text/html"], body: Body(Array("x".utf8)))
        let maker = Task {
            try await renderings.response(key) {
                begun.open()
                await gate.wait()
                return page
            }
        }
        await begun.wait()
        let waiters = (0..<2).map { _ in
            Task { try await renderings.response(key) { Response(.accepted) }.status }
        }
        while renderings.waiting(for: key) < 2 { try await turn() }
        waiters[0].cancel()
        await #expect(throws: CancellationError.self) { try await waiters[0].value }
        #expect(renderings.waiting(for: key) == 1)
        gate.open()
        #expect(try await waiters[1].value == .ok)
        #expect(try await maker.value.status == .ok)
    }

    private final class Counted: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }
}
