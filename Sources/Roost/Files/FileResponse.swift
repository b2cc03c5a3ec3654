import Glibc
import HTTPTypes

/// A file and what is said about it: the response to any request for it (RFC 9110 §13, §14).
struct FileResponse {
    var file: OpenFile
    let contentType: String
    /// The coding of the file's content, if it is a compressed copy.
    var coding: ContentCoding?
    /// Whether the content that is sent depends on `Accept-Encoding`.
    var varies = false
    /// By default a browser keeps the file, and asks whether it is still the same.
    var cacheControl = "no-cache"

    /// The whole file, the range that the request asks for, or that the client has it already.
    /// - Parameter own: The fields that a handler has set: with an `ETag`, that is the file's.
    /// - Throws: ``HTTPError`` with 412 when the client has asked for another state, 416 for a range that is not there.
    func response(to request: Request, with own: Headers = [:]) throws -> Response {
        let now = time(nil)
        let state = FileState(
            validators: validators(now: now, own[.eTag].flatMap { EntityTag(field: $0) }), size: file.size,
            contentType: contentType, coding: coding, varies: varies, cacheControl: cacheControl)
        return try state.response(to: request, now: now) { Body(FilePart(file, $0)) }
    }

    /// The whole file, whatever the request says.
    var whole: Response { Response(.ok, contentType, Body(FilePart(file))) }

    /// A change within the clock's resolution that keeps the length would keep the tag; Linux counts nanoseconds. A
    /// compressed copy has a tag of its own. A file from the future changed now (RFC 9110 §8.8.2.1).
    /// - Parameter own: The tag that a handler has set. A compressed copy has the same, so it is weak then.
    private func validators(now: Int, _ own: EntityTag?) -> Validators {
        let (second, nanosecond) = file.modified
        let modified = min(second, now)
        if var own {
            own.isWeak = own.isWeak || coding != nil
            return Validators(tag: own, modified: modified)
        }
        let digits = Self.digits(second, nanosecond, file.size)
        return Validators(tag: EntityTag(coding.map { "\(digits)-\($0.name)" } ?? digits), modified: modified)
    }

    /// Numbers in hexadecimal digits, joined by hyphens.
    static func digits(_ first: Int, _ second: Int, _ third: Int) -> String {
        [first, second, third].map { String($0, radix: 16) }.joined(separator: "-")
    }
}
