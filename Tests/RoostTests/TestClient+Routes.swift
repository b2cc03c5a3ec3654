import Logging
import Roost
import RoostTesting

extension TestClient {
    /// A client of an application that consists of these parts and logs to `log`. It waits for a response for as long
    /// as a test may take.
    convenience init(
        log: LogLines? = nil,
        host: String = "localhost",
        configuration: ServerConfiguration = ServerConfiguration(),
        templates: Templates? = nil,
        middleware: [any Middleware] = [],
        routes: (Routes) -> Void
    ) throws {
        let application = try Application(
            configuration: configuration,
            logger: (log ?? LogLines()).logger,
            templates: templates,
            middleware: middleware,
            routes: routes
        )
        self.init(application, host: host, timeout: .seconds(300))
    }

    /// A connection on which these bytes have been sent.
    func connection(sending text: String) async throws -> HTTPConnection {
        let connection = try await connect()
        try await connection.send(text)
        return connection
    }
}
