/// Limits on how much of a `multipart/form-data` body is read. Whatever is larger gets 413.
public struct MultipartLimits: Sendable {
    /// The largest body in bytes.
    public var maximumSize: Int
    /// The largest content of one part in bytes; nil means that only ``maximumSize`` counts.
    public var maximumPartSize: Int?
    /// The most parts.
    public var maximumParts = 1000
    /// The most bytes of one part's header fields.
    public var maximumHeaderSize = 8 * 1024
    /// The most bytes of a file's name.
    public var maximumFileNameSize = 255
    /// The largest text of one field in bytes, when the body is decoded: texts stay in memory.
    public var maximumFieldSize = 64 * 1024
    /// The most bytes of all these texts and their names together.
    public var maximumTextSize = 1024 * 1024
    /// A file of more bytes than this is written to a temporary file as it comes, when the body is decoded.
    public var memoryThreshold = 64 * 1024

    /// Limits of sizes in bytes; the other limits have defaults.
    public init(maximumSize: Int = 16 * 1024 * 1024, maximumPartSize: Int? = nil) {
        self.maximumSize = maximumSize
        self.maximumPartSize = maximumPartSize
    }
}
