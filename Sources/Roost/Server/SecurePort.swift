/// A service that gives the server a second port, at which bytes pass through a transport: TLS.
package protocol SecurePort: Service {
    /// The port to listen on, at the server's own address, or at that of a socket that the program was started with and
    /// that has this port; 0 takes a free one, nil means none.
    var port: Int? { get }

    /// The function that makes what the bytes of each client of a loop pass through, from the client's socket. It gives
    /// nil while there is no certificate; then the client is let go.
    /// - Parameter loop: The calling thread's.
    func transports(on loop: EventLoop) -> (Int32) -> (any Transport)?

    /// Makes what speaks HTTP/2 on a loop, at this port and at the plain one; nil for HTTP/1.1 alone.
    func makeHTTP2() -> (any ProtocolUpgrade)?

    /// The server listens.
    /// - Parameter port: The port that it has got.
    func listens(at port: Int)

    /// Puts itself before the responder, for the requests that come without TLS.
    func guarding(_ responder: any Responder) -> any Responder
}

extension [any Service] {
    /// The one that gives the server a second port; nil without one.
    var securePort: (any SecurePort)? { lazy.compactMap { $0 as? any SecurePort }.first }
}
