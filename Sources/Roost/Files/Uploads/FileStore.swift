/// A store for the files that an application's users have sent: a folder (``FolderFileStore``), or anything else, such
/// as a service for objects.
///
/// The application chooses the names: never a name that a client has sent. A name consists of letters, digits, `-`, `_`
/// and `.`, and does not begin with a dot.
public protocol FileStore: Sendable {
    /// Keeps a file under a name. A file of that name is replaced in one step, and never seen half written.
    func save(_ file: UploadedFile, as name: String) async throws
    /// The response to a request for a file; nil when there is none of this name. It has an `ETag`, so that conditional
    /// requests work as RFC 9110 §13 defines them.
    func response(to request: Request, for name: String, contentType: String) async throws -> Response?
    /// Removes a file, if there is one of this name.
    func remove(_ name: String) async throws
    /// Removes files to which nothing refers, such as those of requests that a crash has ended; for a job:
    ///
    ///     try await pictures.removeUnused(olderThan: .hours(1)) { try await users.pictures(among: $0) }
    ///
    /// - Parameters:
    ///   - age: The age up to which files stay, since whatever refers to them may not have been written yet.
    ///   - used: Returns which of some names are referred to. It is called with at most 500 names at a time.
    /// - Returns: The number of files removed.
    @discardableResult
    func removeUnused(
        olderThan age: Duration, used: @Sendable ([String]) async throws -> Set<String>
    ) async throws -> Int
}

extension FileStore {
    /// Keeps bytes that the program has made, such as a picture's small copy, under a name, as a file.
    public func save(_ bytes: [UInt8], as name: String) async throws {
        try await save(UploadedFile(name: name, bytes), as: name)
    }

    /// Returns the content of a file, a stream; nil when there is none of this name. For a job that reads it:
    ///
    ///     let picture = try await pictures.body(of: name)?.collect(upTo: 8 << 20).bytes
    public func body(of name: String) async throws -> Body? {
        try await response(to: Request(.get, "/"), for: name, contentType: "application/octet-stream")?.body.uncollected
    }

    /// Removes those of some names that are not in use.
    package func remove(
        _ names: [String], unless used: @Sendable ([String]) async throws -> Set<String>
    ) async throws -> Int {
        var count = 0
        for start in stride(from: 0, to: names.count, by: 500) {
            let some = Array(names[start..<min(start + 500, names.count)])
            let kept = try await used(some)
            for name in some where !kept.contains(name) {
                try await remove(name)
                count += 1
            }
        }
        return count
    }
}

/// The error for a name that no ``FileStore`` takes.
package struct InvalidFileName: Error, CustomStringConvertible {
    /// The name.
    let name: String

    /// Whether a name is one that every store takes.
    package static func isFit(_ name: String) -> Bool {
        let bytes = name.utf8
        return (1...200).contains(bytes.count) && bytes.first != UInt8(ascii: ".")
            && bytes.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
    }

    /// - Throws: itself for a name that not every store takes.
    package static func check(_ name: String) throws(InvalidFileName) {
        guard isFit(name) else { throw InvalidFileName(name: name) }
    }

    /// The error message, with the rules for such a name.
    package var description: String {
        "\"\(name)\" is not a name for a stored file: use 1 to 200 letters, digits, -, _ and dots, and begin with no "
            + "dot."
    }
}
