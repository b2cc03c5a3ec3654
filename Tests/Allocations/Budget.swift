/// The number of allocations that something may make.
struct Budget: Sendable {
    let name: String
    let allowed: Int
}

extension Budget {
    // Values alone, in a release build. A change that raises one of these must be worth it; one that lowers it lowers
    // the number here as well.
    static let encodeTwoUsers = Budget(name: "encode two users", allowed: 1)
    static let encodeThousandUsers = Budget(name: "encode 1,000 users", allowed: 1)
    static let encodeWritable = Budget(name: "encode two users that write themselves", allowed: 1)
    static let renderEncodable = Budget(name: "render 100 users, Encodable", allowed: 3)
    static let renderWritten = Budget(name: "render 100 users, SelfWriting", allowed: 3)

    // Whole requests on an open connection, from the handler of one to the handler of the next, without middleware.
    static let plaintext = Budget(name: "GET /plaintext", allowed: 1)
    static let json = Budget(name: "GET /json", allowed: 2)
    static let hello = Budget(name: "GET /hello/bench", allowed: 1)
    static let page = Budget(name: "GET /users.html, 100 users", allowed: 5)

    // An idle WebSocket with nothing but an echo: what the client library's memory would add is not counted. Of these
    // bytes 1,024 are the slab that Swift gives each task, 320 its task, and 112 what is noted about the request for
    // the log, the metrics and the watchdog, once for a connection; 64 are places for values of the request. Tables
    // grow in steps: 2% are for that.
    static let idleWebSocket = Budget(name: "an idle WebSocket, in bytes", allowed: 3344)

    // The same requests with the middleware that the site has around its handlers.
    static let siteUsers = Budget(name: "GET /users, JSON, standard middleware and sessions", allowed: 5)
    // Of the row's, one is the list of the places of a statement's values, one the function that reads a row.
    static let siteRow = Budget(name: "GET /rows/1 from SQLite, JSON, standard middleware and sessions", allowed: 14)
    static let sitePage = Budget(name: "GET /users, page, standard middleware and sessions", allowed: 9)
}
