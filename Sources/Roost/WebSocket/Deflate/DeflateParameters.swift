//     Sec-WebSocket-Extensions = extension *( "," extension )
//     extension                = token *( ";" token [ "=" ( token / quoted-string ) ] )
//
// permessage-deflate has four parameters (RFC 7692 §7.1): server_no_context_takeover, client_no_context_takeover,
// server_max_window_bits = 8 to 15, client_max_window_bits [ = 8 to 15 ].

/// The parameters of compression that client and server have agreed on, for both directions (RFC 7692 §7.1).
package struct DeflateParameters: Sendable, Equatable {
    /// Whether each of the server's messages is compressed by itself.
    var serverForgets = false
    /// Whether each of the client's is.
    package var clientForgets = false
    /// The server refers back at most `1 << serverBits` bytes.
    var serverBits = 15
    /// The client refers back at most `1 << clientBits` bytes.
    package var clientBits = 15
    /// Whether the client has said that it can be told its window.
    private var canLimitClient = false
    private var limitsServer = false

    init() {}

    /// The first offer of a client that can be accepted; nil when there is none (§5.1).
    /// - Throws: ``HTTPError`` with 400 for a field that is malformed.
    package static func accept(
        _ field: String, _ compression: WebSocketCompression
    ) throws(HTTPError) -> DeflateParameters? {
        var field = field
        let found: (DeflateParameters?, isValid: Bool) = field.withUTF8 { bytes in
            var offers = DelimitedParts(bytes)
            var accepted: DeflateParameters?
            while let offer = offers.nextPresent(before: UInt8(ascii: ",")) {
                guard let parsed = Offer(offer) else { return (nil, false) }
                if accepted == nil, parsed.name.isEqualIgnoringCase(to: "permessage-deflate") {
                    accepted = DeflateParameters(parsed.parameters, compression)
                }
            }
            return (accepted, true)
        }
        guard found.isValid else { throw HTTPError(.badRequest, "Sec-WebSocket-Extensions is malformed.") }
        return found.0
    }

    /// One extension with its parameters.
    struct Offer {
        let name: UnsafeBufferPointer<UInt8>
        var parameters: [(name: UnsafeBufferPointer<UInt8>, value: String?)] = []

        /// Reads the parameters; nil when they are malformed.
        init?(_ bytes: UnsafeBufferPointer<UInt8>) {
            var parts = DelimitedParts(bytes)
            guard let name = parts.next(before: UInt8(ascii: ";")), name.isToken else { return nil }
            self.name = name
            while let part = parts.next(before: UInt8(ascii: ";")) {
                var pair = DelimitedParts(part)
                guard let name = pair.next(before: UInt8(ascii: "=")), name.isToken else { return nil }
                let value = pair.next(before: UInt8(ascii: "="))?.unquotedText()
                guard value?.isToken ?? true, pair.next(before: UInt8(ascii: "=")) == nil else { return nil }
                parameters.append((name, value))
            }
        }
    }

    /// Agrees to an offer. Nil when it has a parameter that is unknown, appears twice or has a wrong value: then it
    /// must be declined (RFC 7692 §7.1).
    private init?(
        _ parameters: [(name: UnsafeBufferPointer<UInt8>, value: String?)], _ compression: WebSocketCompression
    ) {
        var names: Set<String> = []
        for (name, value) in parameters {
            let name = name.lowercasedToken()
            guard names.insert(name).inserted, take(name, value) else { return nil }
        }
        if !compression.keepsContext { (serverForgets, clientForgets) = (true, true) }
        let bits = min(max(compression.windowBits, 9), 15)
        limitsServer = limitsServer || bits < serverBits
        serverBits = min(serverBits, bits)
        if canLimitClient { clientBits = min(clientBits, bits) }
    }

    private mutating func take(_ name: String, _ value: String?) -> Bool {
        switch name {
        case "server_no_context_takeover" where value == nil: serverForgets = true
        case "client_no_context_takeover" where value == nil: clientForgets = true
        case "server_max_window_bits":
            guard let value, let bits = Self.bits(value) else { return false }
            serverBits = bits
            limitsServer = true
        case "client_max_window_bits":
            guard let bits = value.map(Self.bits) ?? 15 else { return false }
            clientBits = bits
            canLimitClient = true
        default: return false
        }
        return true
    }

    /// `8` to `15`, without leading zeros.
    private static func bits(_ text: String) -> Int? {
        guard let bits = Int(text), (8...15).contains(bits), text.utf8.elementsEqual("\(bits)".utf8) else {
            return nil
        }
        return bits
    }

    /// The value of `Sec-WebSocket-Extensions` in the response.
    var agreement: String {
        var text = "permessage-deflate"
        if serverForgets { text += "; server_no_context_takeover" }
        if clientForgets { text += "; client_no_context_takeover" }
        if limitsServer { text += "; server_max_window_bits=\(serverBits)" }
        if canLimitClient, clientBits < 15 { text += "; client_max_window_bits=\(clientBits)" }
        return text
    }
}
