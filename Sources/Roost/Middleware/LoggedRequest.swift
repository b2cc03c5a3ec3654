/// The parts of a request and its response that a line of the log shows: no more of the response than that, since a
/// closure that writes the line would keep a copy of it.
struct LoggedRequest {
    let request: Request
    let status: Int
    /// The number of bytes in the response's body; nil for a stream.
    let count: Int?
    let duration: Duration
    let showsQuery: Bool

    func write(to line: inout LogLine) {
        let isJSON = line.format == .json
        if isJSON { line.field("message", plain: "request") }
        line.field("peer", plain: { request.appendClientHost(to: $0) })
        line.field("method", plain: request.method.rawValue)
        let (target, isCut) = request.loggedTarget(hasQuery: showsQuery)
        line.field("path", target, isCut: isCut)
        if isJSON, let route = request.route { line.field("route", route) }
        line.field("status", status)
        if let count {
            line.field("bytes", count, unit: " B")
        } else if line.format == .text {
            line.field("bytes", plain: "stream")
        }
        line.field("duration_ms", duration)
        if let id = request.id { line.field("request_id", plain: id) }
        guard isJSON else { return }
        line.field("trace_id", hex: request.traceID)
        if let id = request.notes.accountID { line.field("account_id", id) }
        if let error = request.notes.error { line.field("error", error) }
    }
}
