extension FileFolder {
    /// A file, or a compressed copy of it that the client takes and that is not older: `style.css.br`, `style.css.gz`.
    func best(
        _ file: OpenFile, _ name: String, _ cacheControl: String?, for request: Request
    ) throws -> FileResponse {
        var response = FileResponse(file: file, contentType: FileTypes.type(of: name), cacheControl: cacheControl)
        guard FileTypes.isCompressible(response.contentType) else { return response }
        response.varies = true
        for coding in request.acceptedCodings {
            guard let copy = try self.file(at: "\(name).\(coding.suffix)"), !copy.isOlder(than: file) else { continue }
            (response.file, response.coding) = (copy, coding)
            break
        }
        return response
    }
}

extension ContentCoding {
    /// The suffix of files in this coding.
    fileprivate var suffix: StaticString {
        switch self {
        case .brotli: "br"
        case .gzip: "gz"
        }
    }
}
