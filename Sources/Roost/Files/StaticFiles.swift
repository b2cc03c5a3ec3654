import Glibc
import HTTPTypes

// Files of a folder. A path is walked one segment at a time from the folder's own descriptor, and no symbolic link is
// followed: whatever the path says, it cannot leave the folder. A segment that begins with a dot is treated as unknown,
// which covers `..`, `.git` and `.env` alike.

/// Serves the files of a folder to `GET` and `HEAD` where no route matches: `routes.fallback(StaticFiles("public"))`.
public struct StaticFiles: Responder {
    private let folder: Folder

    /// Keeps the folder open for the life of the application.
    private final class Folder: Sendable {
        let descriptor: Int32
        let budget: FileBudget

        init(_ descriptor: Int32, _ budget: FileBudget) {
            self.descriptor = descriptor
            self.budget = budget
        }

        deinit { close(descriptor) }
    }

    /// - Parameter path: The folder.
    /// - Throws: ``StartError`` when it cannot be read.
    public init(_ path: String) throws { try self.init(path, budget: .process) }

    /// - Parameter budget: What the files that are being sent count against.
    init(_ path: String, budget: FileBudget) throws {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw StartError.configuration(
                "The folder \(path) cannot be read (\(reason)); create it, or set ROOT to where it is."
            )
        }
        folder = Folder(descriptor, budget)
    }

    /// The file at the request's path.
    /// - Throws: ``HTTPError`` with 404 when there is none, 405 for another method, 503 with `Retry-After` when no file
    ///   descriptor is left for it. A file of more than 64 KiB keeps one until its client has taken it, and all such
    ///   files together have a share of the descriptors that the process may open.
    public func respond(to request: Request) async throws -> Response {
        try file(for: request)
    }

    /// The file at the request's path, without waiting: opening it, and having the kernel send it, is not worth a task.
    public func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        .ready(try file(for: request))
    }

    private func file(for request: Request) throws -> Response {
        guard let file = try open(request.path) else { throw HTTPError(.notFound) }
        guard request.method == .get || request.method == .head else {
            throw HTTPError(.methodNotAllowed, headers: [.allow: "GET, HEAD"])
        }
        var response = Response(.ok, Self.contentType(of: request.path), Body(file: file))
        response.headers[.cacheControl] = "no-cache"
        return response
    }

    private func open(_ path: String) throws -> OpenFile? {
        // Bytes are split, as the system does: a slash after U+0600 is part of another `Character`, and would hide what
        // follows it from the check.
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        let isKnown = { (segment: Substring.UTF8View) in segment.first != UInt8(ascii: ".") && !segment.contains(0) }
        guard let name = segments.last, segments.allSatisfy({ !$0.isEmpty && isKnown($0) }) else { return nil }
        var parent = folder.descriptor
        defer { if parent != folder.descriptor { close(parent) } }
        for segment in segments.dropLast() {
            guard let child = try Self.open(segment, in: parent, O_DIRECTORY) else { return nil }
            if parent != folder.descriptor { close(parent) }
            parent = child
        }
        guard let descriptor = try Self.open(name, in: parent, O_NONBLOCK) else { return nil }
        return try Self.openFile(descriptor, in: folder.budget)
    }

    /// Takes over a descriptor; nil when it is invalid, or is not of a regular file.
    static func openFile(_ descriptor: Int32, in budget: FileBudget) throws -> OpenFile? {
        do throws(TooManyOpenFiles) {
            return try OpenFile(descriptor, in: budget)
        } catch {
            throw tooManyOpen
        }
    }

    /// Opens what has a name in a folder; nil when nothing there can have this name.
    private static func open(_ name: Substring.UTF8View, in folder: Int32, _ flags: Int32) throws -> Int32? {
        let descriptor = openat(folder, String(Substring(name)), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        if descriptor < 0, let error = failure(errno) { throw error }
        return descriptor < 0 ? nil : descriptor
    }

    /// The error for a failed `openat(2)`; nil when the reason is the path itself.
    static func failure(_ code: Int32) -> (any Error)? {
        switch code {
        case ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, ENXIO, ENODEV: nil
        case EMFILE, ENFILE, ENOMEM: tooManyOpen
        default: FileOpenError(code: code)
        }
    }

    private static var tooManyOpen: HTTPError {
        HTTPError(.serviceUnavailable, "Too many files are open here at the moment.", headers: [.retryAfter: "1"])
    }

    /// The media type for a file's suffix.
    static func contentType(of path: String) -> String {
        guard let dot = path.lastIndex(of: "."), let type = types[path[dot...].dropFirst().lowercased()] else {
            return "application/octet-stream"
        }
        return type
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "gif": "image/gif", "html": "text/html; charset=utf-8",
        "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "map": "application/json", "mjs": "text/javascript; charset=utf-8",
        "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "txt": "text/plain; charset=utf-8",
        "wasm": "application/wasm", "webmanifest": "application/manifest+json", "webp": "image/webp",
        "woff": "font/woff", "woff2": "font/woff2", "xml": "application/xml",
    ]
}

/// A file could not be opened, and the reason is not its name.
struct FileOpenError: Error, CustomStringConvertible {
    let code: Int32
    var description: String { "A file could not be opened: \(String(cString: strerror(code)))." }
}
