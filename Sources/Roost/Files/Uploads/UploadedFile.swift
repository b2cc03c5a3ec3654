/// A file that a client has sent with a form.
///
/// A small file is in memory, a larger one in a nameless temporary file, which is deleted when nothing refers to the
/// value any more. To keep the file, give it to a ``FileStore``. In an input type it is a property:
///
///     struct PictureInput: Decodable { var picture: UploadedFile? }
public struct UploadedFile: Sendable {
    /// The bytes of the file, in memory or in a temporary file.
    enum Content: Sendable {
        case memory([UInt8], MemoryLease?)
        case disk(TemporaryFile)
    }

    /// The file's name on the client's machine, without folders, possibly empty. It is the client's claim: never use it
    /// as a path.
    public let name: String
    /// The media type that the client claims. Look at the content instead, as ``imageHeader()`` does.
    public let contentType: MediaType?

    let content: Content

    init(name: String, contentType: MediaType?, content: Content) {
        self.name = name
        self.contentType = contentType
        self.content = content
    }

    /// Creates a file in memory, for instance for a test.
    public init(name: String, contentType: MediaType? = nil, _ bytes: [UInt8]) {
        self.init(name: name, contentType: contentType, content: .memory(bytes, nil))
    }

    /// The length in bytes.
    public var count: Int {
        switch content {
        case .memory(let bytes, _): bytes.count
        case .disk(let file): file.count
        }
    }

    /// Returns the bytes of a range, as far as there are any.
    /// - Throws: An error of the system; ``HTTPError`` with 503 when too much work waits (``offload(_:)``).
    public func bytes(in range: Range<Int>) async throws -> [UInt8] {
        switch content {
        case .memory: return try read(range)
        case .disk: return try await offload { try read(range) }
        }
    }

    /// Returns all bytes.
    /// - Throws: ``HTTPError`` with 413 when there are more than `limit`; an error of the system.
    public func bytes(upTo limit: Int) async throws -> [UInt8] {
        guard count <= limit else { throw HTTPError.contentTooLarge(limit) }
        return try await bytes(in: 0..<count)
    }

    /// Returns a picture's format and size, read from its first bytes; nil for a file that is not a PNG, JPEG, GIF or
    /// WebP.
    public func imageHeader() async throws -> ImageHeader? {
        switch content {
        case .memory: try ImageHeader(count: count) { try read($0) }
        case .disk: try await offload { try ImageHeader(count: count) { try read($0) } }
        }
    }

    /// The bytes of a range, as far as there are any. It may block.
    func read(_ range: Range<Int>) throws -> [UInt8] {
        switch content {
        case .memory(let bytes, _): Array(bytes[range.clamped(to: 0..<bytes.count)])
        case .disk(let file): try file.read(range)
        }
    }
}

extension UploadedFile: Decodable {
    /// Throws in any decoder but a form's, since only a form has files.
    public init(from decoder: any Decoder) throws {
        // Of a type that does not match, JSON's errors would say only what it has instead.
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "Must be a file."))
    }
}
