/// The compression of a WebSocket's messages, used if the client asks for it, as browsers do (RFC 7692).
///
/// By default each message is compressed by itself. Then an idle connection needs no memory for it, and the length of
/// one message tells nothing about another one, which could reveal a secret (the CRIME attack).
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether a message may refer to those before it. Small messages that resemble each other then become much
    /// smaller. It costs up to 320 KiB of memory a connection, which are counted as its client's
    /// (``ServerConfiguration/maximumBufferedSize``).
    public var keepsContext: Bool
    /// The base-2 logarithm of the window in bytes, 9 to 15: the distance over which data may refer back. Smaller
    /// windows need less memory.
    public var windowBits: Int
    /// The length in bytes from which on messages are compressed; smaller ones go out as they are.
    public var threshold: Int

    /// Creates a compression; by default of each message by itself, from 1,024 bytes on.
    public init(keepsContext: Bool = false, windowBits: Int = 15, threshold: Int = 1024) {
        self.keepsContext = keepsContext
        self.windowBits = windowBits
        self.threshold = threshold
    }
}
