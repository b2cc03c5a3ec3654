/// The format and the size of a picture, read from its first bytes without decoding it.
///
/// Any bytes may be given; those that are no PNG, JPEG, GIF or WebP have no header.
public struct ImageHeader: Sendable, Equatable {
    /// The formats that are recognised.
    public enum Format: String, Sendable, CaseIterable {
        /// PNG (W3C PNG, third edition)
        case png
        /// JPEG (ITU-T T.81)
        case jpeg
        /// GIF (GIF89a)
        case gif
        /// WebP (RFC 9649)
        case webp

        /// The media type: `image/png`.
        public var mediaType: MediaType { MediaType("image", rawValue) }
    }

    /// The format, by the bytes and not by a client's claim.
    public let format: Format
    /// The width in pixels, at least 1.
    public let width: Int
    /// The height in pixels, at least 1.
    public let height: Int

    /// Creates a header of a format and a size; nil when a side is 0.
    init?(_ format: Format, _ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return nil }
        self.format = format
        self.width = width
        self.height = height
    }

    /// Reads the header of a picture in memory; nil for any other bytes.
    public init?(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { Array(bytes[$0]) }
    }

    /// The header of a picture that is read a few bytes at a time.
    /// - Parameters:
    ///   - count: The size of the picture, in bytes.
    ///   - read: Reads the bytes of a range within these.
    init?(count: Int, read: (Range<Int>) throws -> [UInt8]) rethrows {
        let source = ImageSource(first: try read(0..<min(count, 32)), count: count)
        guard let header = try source.png ?? source.gif(read) ?? source.webp ?? source.jpeg(read) else { return nil }
        self = header
    }
}
