@testable import Roost

extension Cost {
    /// Field values that applications ask for.
    static var fields: [Cost] {
        table("Accept", budget: 100, field: "Accept", acceptInputs) { request in
            // Like a page that asks, negotiates and fails.
            result += request.prefersPage ? 1 : 0
            result += request.accept.quality(of: .json) + request.accept.quality(of: .problem)
        }
            + table("Accept-Encoding", budget: 100, field: "Accept-Encoding", acceptInputs) { request in
                result += request.acceptedCodings.count
            }
            + table("Range", budget: 100, field: "Range", acceptInputs) { request in
                let validators = Validators(tag: EntityTag("x"), modified: 0)
                result += request.range(of: validators, size: 1000, now: 1) == nil ? 0 : 1
            }
            + table("Content-Type", budget: 100, field: "Content-Type", typeInputs) { request in
                result += (request.contentType?.parameters.count ?? 0) + (request.isForm ? 1 : 0)
            }
            + table("Cookie", budget: 150, field: "Cookie", cookieInputs) { request in
                result += request.cookie("session")?.utf8.count ?? 0
            }
            + table("traceparent", budget: 100, field: "traceparent", traceInputs) { request in
                let fields = request.receivedFields
                fields.forEach(.traceparent) { result += TraceContext(fields.bytes.slice($0)) == nil ? 0 : 1 }
            }
            + table("If-Match", budget: 150, field: "If-Match", tagInputs) { request in
                result += request.ifMatch(EntityTag("x")) ? 1 : 0
            }
            + table("If-None-Match", budget: 150, field: "If-None-Match", tagInputs) { request in
                result += request.isFresh(EntityTag("x")) ? 1 : 0
            }
            + table("Sec-Fetch-Site", budget: 1000, field: "Sec-Fetch-Site", markInputs) { request in
                result += request.isOfOwnPage(trusting: PageOrigins([])) ? 1 : 0
            }
            + table("Forwarded", budget: 100, field: "Forwarded", forwardedInputs, forwarded)
            + table("X-Forwarded-For", budget: 100, field: "X-Forwarded-For", forwardedForInputs, forwarded)
    }

    /// Looks for the client behind trusted proxies.
    private static func forwarded(_ request: Request) {
        guard let peer = IPAddress("10.0.0.1"), let proxies = TrustedProxies("10.0.0.0/8") else { return }
        let client = ForwardedClient(request.receivedFields, from: .tcp(peer, port: 1), trusting: proxies)
        result += client.isHTTPS == true ? 1 : 0
    }

    private static let forwardedInputs = [
        Input("trusted proxies", repeating: "for=10.1.1.1,"),
        Input("strangers", repeating: "for=192.0.2.1,"),
        Input("empty elements", repeating: ","),
        Input("one element of empty pairs", "for=10.1.1.1", repeating: ";"),
        Input("one element of many pairs", repeating: "a=b;"),
        Input("hosts of trusted proxies", repeating: "for=10.1.1.1;host=a,"),
        Input("quotes", repeating: "\""),
        Input("an unterminated quote", "for=\"", repeating: ",;"),
        Input("a long host", "for=10.1.1.1;host=", repeating: "a"),
    ]

    private static let forwardedForInputs = [
        Input("trusted proxies", repeating: "10.1.1.1,"),
        Input("strangers", repeating: "192.0.2.1,"),
        Input("empty elements", repeating: ","),
        Input("colons", repeating: ":"),
        Input("blanks", repeating: " ,"),
        Input("a long name", repeating: "a"),
    ]

    private static let acceptInputs = [
        Input("empty ranges", repeating: ","),
        Input("short ranges", repeating: "a/b,"),
        Input("short malformed ranges", repeating: "a,"),
        Input("ranges with weights", repeating: "text/html;q=0.1,"),
        Input("one range of empty parameters", "text/html", repeating: ";"),
        Input("one range of weights", "text/html", repeating: ";q=1"),
        Input("an unterminated quote", "text/html;a=\"", repeating: ",;"),
        Input("escapes in a quote", "text/html;a=\"", repeating: "\\\""),
        Input("quotes", repeating: "\""),
        Input("blanks", repeating: " ,"),
        Input("a long type", repeating: "a", "/b"),
    ]

    private static let typeInputs = [
        Input("parameters", "a/b", repeating: ";a=b"),
        Input("empty parameters", "a/b", repeating: ";"),
        Input("parameters without value", "a/b", repeating: ";a"),
        Input("a long quoted value", "a/b;c=\"", repeating: "\\a", "\""),
        Input("an unterminated quote", "a/b;c=\"", repeating: ";d="),
        Input("a long type", repeating: "a", "/b"),
    ]

    private static let cookieInputs = [
        Input("empty pairs", repeating: ";"),
        Input("short pairs", repeating: "a=b;"),
        Input("the name without its value", repeating: "session;"),
        Input("equals signs", repeating: "="),
        Input("blanks", repeating: " ;"),
        Input("one long value", "session=", repeating: "a"),
        Input("a value of blanks", "session=", repeating: " ", "a"),
    ]

    private static let markInputs = [
        Input("marks", "a", repeating: "\u{301}\u{323}"), Input("letters with marks", repeating: "e\u{301}\u{323}"),
    ]

    private static let traceInputs = [
        Input("a long id", "00-", repeating: "a"),
        Input("a later version", "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-", repeating: "a"),
    ]

    private static let tagInputs = [
        Input("empty elements", repeating: ","),
        Input("empty tags", repeating: "\"\","),
        Input("short tags", repeating: "\"a\","),
        Input("weak tags", repeating: "W/\"a\","),
        Input("an unterminated tag", "\"", repeating: "a"),
        Input("blanks", repeating: " ,"),
        Input("weak marks", repeating: "W/"),
    ]
}
