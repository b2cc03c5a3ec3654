import Glibc
import PatternCore
import Patterns
import Roost

/// Measures what a login of the gallery costs the processor in each of its patterns, without sockets: routing,
/// middleware, roles and response. The visitor is known, so that none of it is a new session.
enum LoginTimes {
    private static let requests = 2000
    private static let rounds = 9

    /// The time of one login in nanoseconds, by the name of the pattern: the median of rounds that take turns, so that
    /// a disturbance meets all.
    static func nanoseconds() async throws -> [(String, Int)] {
        let templates = try Templates(sources: ["patterns/screens/login-form": #"<form id="login"></form>"#])
        let application = try Application(middleware: []) { routes in
            routes.add(Gallery(templates: templates, isHTTPS: false, isTraced: false) {})
        }
        let patterns = LoginFigures.all.map(\.pattern)
        var times: [Pattern: [Int]] = [:]
        for _ in 0..<rounds {
            for pattern in patterns { times[pattern, default: []].append(try await round(pattern, application)) }
        }
        return patterns.map { ($0.name, (times[$0] ?? []).sorted()[rounds / 2] / requests) }
    }

    private static func round(_ pattern: Pattern, _ application: Application) async throws -> Int {
        var headers: Headers = [.contentType: "application/x-www-form-urlencoded"]
        let first = try await application.respond(to: request(pattern, headers))
        headers[.cookie] = first.headers[.setCookie].map { String($0.prefix { $0 != ";" }) }
        let request = try request(pattern, headers)
        let start = processorTime()
        for _ in 0..<requests {
            let response = try await application.respond(to: request)
            guard response.status == .seeOther else { throw HTTPError(response.status) }
        }
        return processorTime() - start
    }

    private static func request(_ pattern: Pattern, _ headers: Headers) throws -> Request {
        let form = Body("email=test%40example.com&password=123456")
        return try Request(.post, pattern.path + "/login", headers: headers, body: form)
    }

    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
