public import HTTPTypes

/// Middleware that lets scripts on other sites' pages read responses (cross-origin resource sharing; Fetch Standard
/// §3.3).
///
///     let cors = CORS(origins: ["https://app.example.com"])
///     try Application(middleware: [cors] + Application.standardMiddleware()) { routes in … }
///
/// Place it first: then errors have its fields, too, and ``CrossOriginProtection`` lets requests from these origins
/// pass (those with cookies only with `allowsCredentials`). In a group's middleware it applies to that group only.
/// Place ``ErrorPages`` after it there, or unexpected errors lack its fields; and give the application's
/// `CrossOriginProtection` the same origins, which are then trusted with cookies. That cannot trust every origin, so
/// `anyOrigin()` in a group allows reading only. If such a group has unsafe methods, place `CORS` first in the
/// application's middleware, or move `CrossOriginProtection` into the groups, in this one after `CORS`.
public struct CORS: Filter {
    /// The origins; nil for any.
    private let origins: PageOrigins?
    private let fields: Headers
    private let preflightFields: Headers
    private let reflectsHeaders: Bool
    private let allowsCredentials: Bool

    /// Allows some origins. One that no browser sends, such as `*` or a host without its scheme, ends the program with
    /// the message and the exit code of a ``StartError/configuration(_:)``, since it may come from a setting.
    /// - Parameters:
    ///   - origins: Scheme, host and port, as browsers write them: `https://app.example.com`, `http://localhost:5173`.
    ///   - methods: The methods that scripts may use besides the `GET`, `HEAD` and `POST` of simple requests; for
    ///     `QUERY` routes, pass `CORS.methods + [.query]`.
    ///   - headers: The request's fields that scripts may set; nil for all that they ask for.
    ///   - exposed: The response's fields that scripts may read besides the simple ones; by default, those that Roost
    ///     sends for programs (``exposed``).
    ///   - allowsCredentials: Whether browsers send cookies along, and these origins are trusted with them: without it,
    ///     ``CrossOriginProtection`` refuses an unsafe request with cookies, or with a password that a browser adds by
    ///     itself, as it does for ``anyOrigin(methods:headers:exposed:maximumAge:)``.
    ///   - maximumAge: The time for which a browser may remember what is allowed.
    public init(
        origins: [String], methods: [HTTPRequest.Method] = Self.methods, headers: [HTTPField.Name]? = nil,
        exposed: [HTTPField.Name] = Self.exposed, allowsCredentials: Bool = false, maximumAge: Duration = .seconds(600)
    ) {
        if let mistake = PageOrigins.mistake(in: origins) {
            LogWriter.exit(with: StartError.configuration("\(mistake) For every site, write CORS.anyOrigin()."))
        }
        self.init(PageOrigins(origins), methods, headers, exposed, allowsCredentials, maximumAge)
    }

    /// Allows every origin: for data that everybody may read. Cookies are never sent along; an unsafe request with
    /// them, or with a password that a browser adds by itself (`Basic`, `Digest`, `Negotiate`, `NTLM`), is refused. One
    /// with a certificate (`TLS_CLIENT_CA`) is not, though browsers add that, too: where clients show certificates,
    /// allow no changes this way.
    public static func anyOrigin(
        methods: [HTTPRequest.Method] = Self.methods, headers: [HTTPField.Name]? = nil,
        exposed: [HTTPField.Name] = Self.exposed, maximumAge: Duration = .seconds(600)
    ) -> CORS {
        CORS(nil, methods, headers, exposed, false, maximumAge)
    }

    /// `GET`, `HEAD`, `POST`, `PUT`, `PATCH` and `DELETE`.
    public static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]

    /// Fields that Roost sends for programs: `ETag`, `Link`, `Location`, `Retry-After`, `RateLimit`,
    /// `RateLimit-Policy`, `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`, `Deprecation`, `Sunset` and
    /// `X-Request-Id`.
    public static let exposed: [HTTPField.Name] = [
        .eTag, .link, .location, .retryAfter, .rateLimit, .rateLimitPolicy, .rateLimitLimit, .rateLimitRemaining,
        .rateLimitReset, .deprecation, .sunset, .requestID,
    ]

    private init(
        _ origins: PageOrigins?, _ methods: [HTTPRequest.Method], _ headers: [HTTPField.Name]?,
        _ exposed: [HTTPField.Name], _ allowsCredentials: Bool, _ maximumAge: Duration
    ) {
        self.origins = origins
        reflectsHeaders = headers == nil
        self.allowsCredentials = allowsCredentials
        var fields: Headers = [:]
        if origins == nil { fields[.accessControlAllowOrigin] = "*" }
        if allowsCredentials { fields[.accessControlAllowCredentials] = "true" }
        var preflight = fields
        if !exposed.isEmpty { fields[.accessControlExposeHeaders] = exposed.map(\.rawName).joined(separator: ", ") }
        preflight[.accessControlAllowMethods] = methods.map(\.rawValue).joined(separator: ", ")
        preflight[.accessControlMaxAge] = "\(maximumAge.wholeSeconds)"
        if let headers { preflight[.accessControlAllowHeaders] = headers.map(\.rawName).joined(separator: ", ") }
        self.fields = fields
        preflightFields = preflight
    }

    /// The reason why a request from another site may pass ``CrossOriginProtection``.
    enum Permission: Sendable {
        /// Its origin is trusted with what a browser sends by itself.
        case origin
        /// Everybody may send it, as long as it speaks for nobody.
        case anybody

        enum Key: RequestKey { typealias Value = Permission }
    }

    /// Responds to a preflight request of an allowed origin with 204.
    public func before(_ request: inout Request) throws -> Response? {
        guard let origin = request.headers[.origin], origins?.contains(origin) ?? true else { return nil }
        request[Permission.Key.self] = allowsCredentials ? .origin : .anybody
        guard request.method == .options, request.headers.contains(.accessControlRequestMethod) else { return nil }
        var response = Response(.noContent, headers: preflightFields)
        if reflectsHeaders, let names = request.headers[.accessControlRequestHeaders], Self.isNames(names) {
            response.headers[.accessControlAllowHeaders] = names
        }
        if origins != nil { response.headers[.accessControlAllowOrigin] = origin }
        response.headers[.vary] = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
        return response
    }

    /// Adds the fields that let the script read the response.
    public func after(_ response: inout Response, to request: Request) { share(&response.headers, request) }

    /// Adds them to an error that is meant for the client.
    public func recover(from error: any Error, in request: Request) throws -> Response {
        throw error.changingHeaders { share(&$0, request) }
    }

    private func share(_ headers: inout Headers, _ request: Request) {
        // `*` goes to every client: a cache may keep what one without an origin got, and give it to a script of another
        // site (Fetch Standard, "CORS protocol and HTTP caches").
        if let origins {
            headers.addToVary(.origin)
            guard let origin = request.headers[.origin], origins.contains(origin) else { return }
            headers[.accessControlAllowOrigin] = origin
        }
        for field in fields.list { headers[field.name] = field.value }
    }

    /// `1#field-name`, of a length that a response can repeat.
    private static func isNames(_ text: String) -> Bool {
        guard text.utf8.count <= 1000 else { return false }
        return text.utf8.allSatisfy { byte in
            ByteSet.token.contains(byte) || byte == UInt8(ascii: ",") || byte == 0x20 || byte == 0x09
        }
    }
}
