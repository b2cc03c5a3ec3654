import HTTPTypes

/// Middleware that gives each request its time zone: that of a cookie, or else the application's.
///
///     TimeZones(try ZoneInfo(environment: ProcessEnvironment.variables), cookie: "time_zone")
///
/// Moments in pages, mails and messages are shown in it (``Request/timeZone``), and ``Request/today`` is its day. The
/// cookie has a name of the system's database, such as `Europe/Berlin`; any other value is ignored. Responses declare
/// that they vary with the cookie, except files, which are the same for everybody.
public struct TimeZones: Filter {
    private let standard: RequestZone
    private let cookie: String?

    /// Creates the middleware.
    /// - Parameters:
    ///   - standard: The time zone of visitors who have chosen none.
    ///   - cookie: The name of a cookie with the time zone that a visitor has chosen; nil for none.
    public init(_ standard: ZoneInfo, cookie: String? = nil) {
        self.standard = RequestZone(standard, time: .current)
        self.cookie = cookie
    }

    /// Gives the request its time zone.
    public func before(_ request: inout Request) -> Response? {
        let chosen = cookie.flatMap { request.cookie($0) }.flatMap { ZoneInfo($0) }
        request[RequestZone.self] = chosen.map { RequestZone($0, time: standard.time) } ?? standard
        return nil
    }

    /// Marks the response as depending on the cookie.
    public func after(_ response: inout Response, to request: Request) {
        if cookie != nil, !response.isFile(for: request) { response.headers.addToVary(.cookie) }
    }
}
