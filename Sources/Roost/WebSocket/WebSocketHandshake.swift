import HTTPTypes

/// The server's side of the opening handshake (RFC 6455 §4.2): what a request must have, and what the response says.
struct WebSocketHandshake {
    private let key: String
    /// The subprotocol agreed on.
    let subprotocol: String?
    /// The compression agreed on.
    let deflate: DeflateParameters?

    /// The one version of the protocol.
    private static let version = "13"

    /// Checks a request.
    /// - Throws: ``HTTPError``: 426 when it does not ask for a WebSocket, or for one of another version (§4.2.2; RFC
    ///   9110 §15.5.22); 403 when another site's page has made it; 400 when it is malformed.
    init(_ request: Request, _ options: WebSocketOptions) throws(HTTPError) {
        guard request.knownMethod == .get, !request.head.exchange.isHTTP10,
            request.headers[.upgrade]?.lists("websocket") ?? false,
            request.headers[.connection]?.lists("upgrade") ?? false
        else { throw Self.upgradeRequired("This address is a WebSocket's.") }
        guard request.headers[.secWebSocketVersion] == Self.version else {
            throw Self.upgradeRequired("Only version \(Self.version) of the WebSocket protocol is known here.")
        }
        guard request.body.count == 0 else { throw HTTPError(.badRequest, "A WebSocket's request has no body.") }
        guard let key = request.headers[.secWebSocketKey], WebSocketKey.isValid(key) else {
            throw HTTPError(.badRequest, "Sec-WebSocket-Key must be 16 bytes in base64.")
        }
        self.key = key
        guard Self.allows(request, options.origins) else {
            throw HTTPError(.forbidden, "Pages of other sites cannot connect here.")
        }
        subprotocol = try Self.subprotocol(request, options.subprotocols)
        let offers = request.headers[.secWebSocketExtensions]
        deflate =
            if let offers, let compression = options.compression {
                try DeflateParameters.accept(offers, compression)
            } else { nil }
    }

    /// The fields of the response with 101; `Connection` is the server's.
    var headers: Headers {
        var headers: Headers = [.upgrade: "websocket", .secWebSocketAccept: WebSocketKey.accept(key)]
        if let subprotocol { headers[.secWebSocketProtocol] = subprotocol }
        if let deflate { headers[.secWebSocketExtensions] = deflate.agreement }
        return headers
    }

    private static func upgradeRequired(_ message: String) -> HTTPError {
        HTTPError(.upgradeRequired, message, headers: [.upgrade: "websocket", .secWebSocketVersion: version])
    }

    private static func allows(_ request: Request, _ origins: WebSocketOptions.Origins) -> Bool {
        switch origins {
        case .own: request.isOfOwnPage(trusting: PageOrigins([]))
        case .ownAnd(let others): request.isOfOwnPage(trusting: PageOrigins(others))
        case .any: true
        }
    }

    /// The maximum number of subprotocols that a client may list.
    private static let mostSubprotocols = 64

    /// The client's first choice that the route speaks (§4.2.2, item 5.5).
    private static func subprotocol(_ request: Request, _ known: [String]) throws(HTTPError) -> String? {
        guard var list = request.headers[.secWebSocketProtocol] else { return nil }
        let found: String?? = list.withUTF8 { bytes in
            var names: [UnsafeBufferPointer<UInt8>] = []
            var parts = DelimitedParts(bytes)
            while let part = parts.nextPresent(before: UInt8(ascii: ",")) {
                guard part.isToken, names.count < mostSubprotocols, !names.contains(where: part.elementsEqual) else {
                    return nil
                }
                names.append(part)
            }
            let first = names.first { name in known.contains { $0.utf8.elementsEqual(name) } }
            return .some(first.map { String(decoding: $0, as: UTF8.self) })
        }
        guard let found else {
            throw HTTPError(
                .badRequest, "Sec-WebSocket-Protocol must be a list of at most \(mostSubprotocols) different tokens.")
        }
        return found
    }
}

/// The key with which a client makes sure that a server means its handshake (RFC 6455 §4.1, §4.2.2).
package enum WebSocketKey {
    /// Whether it is 16 bytes in base64 (§4.2.1).
    static func isValid(_ key: String) -> Bool {
        let key = Array(key.utf8)
        return key.count == 24 && key.suffix(2) == [0x3D, 0x3D] && key.dropLast(2).allSatisfy(Base64.standard.contains)
    }

    /// The value of `Sec-WebSocket-Accept` for a key (§4.2.2, item 5.4).
    package static func accept(_ key: String) -> String {
        Base64.standard.text(SHA1.digest(Array(key.utf8) + Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    /// A new key.
    package static func random() -> String { Base64.standard.text((0..<16).map { _ in UInt8.random(in: 0...255) }) }
}
