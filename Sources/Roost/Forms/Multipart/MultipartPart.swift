/// A part of a `multipart/form-data` body, read as it arrives: a field of a form, or a file.
///
/// The content is read piece by piece, `for try await piece in part { … }`, or as a whole. Any rest is skipped.
public struct MultipartPart: AsyncSequence {
    /// The name of the form's field.
    public let name: String
    /// The name of the file on the client's machine, without folders; nil for a part that is not a file, and empty if
    /// no file was chosen. It is the client's claim: never use it as a path.
    public let fileName: String?
    /// The media type that the client claims; nil when it claims none.
    public let contentType: MediaType?

    private let number: Int
    private let reader: MultipartReader

    init(_ head: MultipartHead, number: Int, reader: MultipartReader) {
        name = head.name
        fileName = head.anyFileName
        contentType = head.contentType
        self.number = number
        self.reader = reader
    }

    /// Returns an iterator of the content, which can be read once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(number: number, reader: reader) }

    /// An iterator of a part's content.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let number: Int
        fileprivate let reader: MultipartReader

        /// Returns the next piece, never empty; nil at the end.
        /// - Throws: ``HTTPError`` with 400 for a malformed body, 408 or 413 for a client that is too slow or sends too
        ///   much; an error once the next part has begun.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> [UInt8]? {
            try await reader.nextPiece(of: number)
        }
    }

    /// Returns the whole content.
    /// - Throws: ``HTTPError`` with 413 when it has more than `limit` bytes, or more than one client may ever have in
    ///   memory (``ServerConfiguration/maximumBufferedSize``), and what reading it throws.
    public func bytes(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        let limit = Swift.min(limit, reader.memory?.largest ?? .max)
        let lease = reader.memory.map { MemoryLease(0, of: $0) }
        for try await piece in self {
            guard piece.count <= limit - bytes.count else { throw HTTPError.partTooLarge(name, limit) }
            try lease?.grow(by: piece.count)
            bytes += piece
        }
        return bytes
    }

    /// Returns the whole content as text.
    /// - Throws: ``HTTPError`` with 413 when it has more than `limit` bytes, 400 when it is not UTF-8, and what reading
    ///   it throws.
    public func text(upTo limit: Int = MultipartLimits().maximumFieldSize) async throws -> String {
        let bytes = try await bytes(upTo: limit)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw HTTPError.notUTF8 }
        return text
    }

    /// Returns the whole content as a file: in memory, or in a temporary file if it is larger than `memoryThreshold`
    /// bytes.
    /// - Throws: ``HTTPError`` with 503 when no descriptor is left for it, 507 when there is no room for it, and what
    ///   reading it throws.
    public func file(memoryThreshold: Int = MultipartLimits().memoryThreshold) async throws -> UploadedFile {
        var spool = FileSpool(memoryThreshold: memoryThreshold, reader.memory)
        for try await piece in self { try await spool.append(piece) }
        return try await spool.file(name: fileName ?? "", contentType: contentType)
    }
}
