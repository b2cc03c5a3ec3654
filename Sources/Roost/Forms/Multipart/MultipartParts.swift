/// The parts of a `multipart/form-data` body in the order sent, each while it comes; see ``Request/multipart(_:)``.
public struct MultipartParts: AsyncSequence {
    private let body: Body
    let parser: MultipartParser

    init(_ body: Body, _ parser: MultipartParser) {
        self.body = body
        self.parser = parser
    }

    /// A reader of the parts, from the first.
    var reader: MultipartReader { MultipartReader(body, parser) }

    /// Returns an iterator of the parts, which can be read once.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// An iterator of the parts.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: MultipartReader

        /// Returns the next part; nil after the last one. The rest of the part before is skipped.
        /// - Throws: ``HTTPError`` with 400 for a malformed body, 408 or 413 for a client that is too slow or sends too
        ///   much.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(any Error) -> MultipartPart? {
            try await reader.nextPart()
        }
    }
}

extension Request {
    /// Returns the parts of a `multipart/form-data` body (RFC 7578), one after the other, as they come:
    ///
    ///     routes.post(Path("/films"), body: .streamed) { request in
    ///         for try await part in try request.multipart(MultipartLimits(maximumSize: 4 << 30)) {
    ///             for try await piece in part { … }
    ///         }
    ///         return HTTPResponse.Status.noContent
    ///     }
    ///
    /// The body is read only as fast as pieces are asked for, so a file of any size needs little memory. To get a whole
    /// form as an input type, use ``decode(_:limits:using:)``.
    /// - Throws: ``HTTPError`` with 415 for another content type, 413 for a body whose announced length is too large.
    public func multipart(_ limits: MultipartLimits = MultipartLimits()) throws(HTTPError) -> MultipartParts {
        let parts = try multipartParts(limits)
        if let count = body.count, count > limits.maximumSize { throw .contentTooLarge(limits.maximumSize) }
        return parts
    }

    /// The same, which reads a body that is too large as far as it may.
    func multipartParts(_ limits: MultipartLimits) throws(HTTPError) -> MultipartParts {
        try requirePlainContent()
        guard isMultipart, let type = contentType else {
            throw HTTPError(
                .unsupportedMediaType, "The body must be multipart/form-data.",
                headers: [.accept: "multipart/form-data"])
        }
        guard let boundary = type.parameters["boundary"] else {
            throw HTTPError(
                .badRequest,
                "The Content-Type lacks the boundary of the multipart body. Browsers set it if a script does not.")
        }
        return MultipartParts(body, try MultipartParser(boundary: boundary, limits: limits))
    }
}
