/// The limits of a `multipart/form-data` body. A larger one gets 413.
public struct MultipartLimits: Sendable {
    /// The largest body in bytes.
    public var maximumSize: Int
    /// The largest content of one part in bytes; nil if only ``maximumSize`` counts.
    public var maximumPartSize: Int?
    /// The largest number of parts.
    public var maximumParts = 1000
    /// The largest number of files, counted with those that were not chosen: each may take a descriptor.
    public var maximumFiles = 100
    /// The largest size of one part's header fields in bytes.
    public var maximumHeaderSize = 8 * 1024
    /// The largest size of a file's name in bytes.
    public var maximumFileNameSize = 1024
    /// The largest text of one field in bytes, when the body is decoded: texts stay in memory.
    public var maximumFieldSize = 64 * 1024
    /// The largest size of all these texts and their names together in bytes.
    public var maximumTextSize = 1024 * 1024
    /// The largest file in bytes that stays in memory when the body is decoded; a larger one is written to a temporary
    /// file as it comes.
    public var memoryThreshold = 64 * 1024

    /// Creates limits of sizes in bytes; the other limits have defaults.
    public init(maximumSize: Int = 16 * 1024 * 1024, maximumPartSize: Int? = nil) {
        self.maximumSize = maximumSize
        self.maximumPartSize = maximumPartSize
    }
}
