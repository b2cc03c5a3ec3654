/// The compression of a WebSocket's messages, used when the client can do it, as browsers can (RFC 7692).
///
/// By default each message is compressed by itself. That costs a connection no memory while nothing is on its way, and
/// no message tells how another one compressed, which can reveal a secret (the CRIME attack).
public struct WebSocketCompression: Sendable, Hashable {
    /// Whether a message may refer to those before it. Small messages that resemble each other then become much
    /// smaller. It costs up to 320 KiB of memory a connection, which count as its client's
    /// (``ServerConfiguration/maximumBufferedSize``).
    public var keepsContext: Bool
    /// The base-2 logarithm of the window size in bytes, 9 to 15: so far the data may refer back. Smaller windows need
    /// less memory.
    public var windowBits: Int
    /// The length in bytes from which messages are compressed; smaller ones go out as they are.
    public var threshold: Int

    /// Compression; by default of each message by itself, from 1,024 bytes on.
    public init(keepsContext: Bool = false, windowBits: Int = 15, threshold: Int = 1024) {
        self.keepsContext = keepsContext
        self.windowBits = windowBits
        self.threshold = threshold
    }
}
