import Processes
import Testing

@Suite(.timeLimit(.minutes(5))) struct FreePortTests {
    @Test func `a port is given out once, and none that a client's connection may take`() throws {
        let ports = try (0..<100).map { _ in try FreePort.next() }
        #expect(Set(ports).count == ports.count)
        #expect(ports.allSatisfy { FreePort.range.contains($0) })
        // Where clients' ports leave room.
        #expect(FreePort.range.upperBound == FreePort.firstOfClients || FreePort.firstOfClients <= 11_000)
    }
}
