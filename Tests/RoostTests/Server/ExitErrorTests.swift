import Glibc
import Testing

@testable import Roost

/// `AppTests/Live/ExitCodeTests` has what the site ends with.
@Suite("The exit codes of errors", .timeLimit(.minutes(5)))
struct ExitErrorTests {
    @Test func `a mistake to correct is 78, something that may be available later is 69`() {
        #expect(StartError.configuration("a").exitCode == 78)
        #expect(StartError.unavailable("b").exitCode == 69)
        #expect(SystemError("eventfd", code: EMFILE).exitCode == 69)
        let missing = #expect(throws: TemplateError.self) { try Templates(directory: "/nonexistent") }
        #expect(missing?.exitCode == 78)
        let broken = #expect(throws: TemplateErrors.self) { try Templates(sources: ["a": "{{#b}}"]) }
        #expect(broken?.exitCode == 78)
    }

    @Test func `a port that another program uses is 69, an address that the machine lacks is 78`() throws {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0]
        let (bound, sockets) = try ListeningSocket.bind(address, count: 1, isShared: true)
        defer { for socket in sockets { close(socket) } }
        let taken = #expect(throws: StartError.self) { try ListeningSocket.bind(bound, count: 1, isShared: true) }
        #expect(taken?.exitCode == 69)
        // RFC 5737: an address for documentation, which no machine has.
        let foreign = try SocketAddress.resolve(host: "192.0.2.1", port: 0)[0]
        let lacking = #expect(throws: StartError.self) { try ListeningSocket.bind(foreign, count: 1, isShared: true) }
        #expect(lacking?.exitCode == 78)
    }

    @Test func `a port that the system forbids is 78, with what a unit of systemd needs`() throws {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 9100)[0]
        let error = ListeningSocket.failure(address, SystemError("bind", code: EPERM), "ADMIN_")
        #expect(error.exitCode == 78)
        #expect(
            error.description == "Cannot listen on 127.0.0.1:9100: the system forbids it; in a unit of systemd with "
                + "SocketBindDeny=any, add SocketBindAllow=tcp:9100.")
    }

    @Test func `a port below 1024 is one that systemd can open`() throws {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 443)[0]
        let error = ListeningSocket.failure(address, SystemError("bind", code: EACCES), "TLS_")
        #expect(error.exitCode == 78)
        #expect(
            error.description == "Cannot listen on 127.0.0.1:443: ports below 1024 need privileges; set TLS_PORT to a "
                + "larger number, or let systemd open it (docs/deploy/roost.socket).")
    }
}
