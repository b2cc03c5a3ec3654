public import struct FoundationEssentials.Date

/// Middleware that tells clients not to use some routes any more: `Deprecation` (RFC 9745) and `Sunset` (RFC 8594).
///
///     let old = Deprecated(since: date, sunset: end, link: "https://example.com/api/2")
///     routes.group(Path("/api/1"), middleware: [old], described: true) { … }
public struct Deprecated: Filter, DescribedMiddleware {
    private let fields: Headers

    /// Creates the middleware for some routes.
    /// - Parameters:
    ///   - since: The time at which the routes become deprecated; it may lie in the future.
    ///   - sunset: The time after which the routes will probably stop responding; nil if it is not known.
    ///   - link: The URL of a page that says what to use instead; nil for none.
    public init(since: Date, sunset: Date? = nil, link: String? = nil) {
        var fields: Headers = [.deprecation: "@\(Self.seconds(since))"]
        if let sunset { fields[.sunset] = HTTPDate.string(Self.seconds(sunset)) }
        if let link { fields[.link] = "<\(PercentEncoding.encodedReference(link))>; rel=\"deprecation\"" }
        self.fields = fields
    }

    private static func seconds(_ date: Date) -> Int {
        Int(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
    }

    /// Sets the fields on every response.
    public func after(_ response: inout Response, to request: Request) { add(to: &response.headers) }

    /// Sets them on an error that is meant for the client.
    public func recover(from error: any Error, in request: Request) throws -> Response {
        throw error.changingHeaders(add)
    }

    private func add(to headers: inout Headers) {
        for field in fields.list { headers.append(field.name, field.value) }
    }

    /// The routes are deprecated.
    public var effects: MiddlewareEffects {
        MiddlewareEffects(
            responseHeaders: [.deprecation: "Since when the route is deprecated, in seconds since 1970."],
            isDeprecated: true)
    }
}

extension HTTPField.Name {
    static let deprecation = known("Deprecation")
    static let sunset = known("Sunset")
}
