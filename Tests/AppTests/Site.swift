import HTTPTypes
import Logging
import Roost
import RoostSQL
import RoostTesting

@testable import App

/// The site as the tests run it: the same `makeApp`, in development.
enum Site {
    /// The fields that Chromium sends for a page.
    static let browser: Headers = [
        .accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"
    ]

    /// The way of the visitors' requests (``EachProtocol``).
    @TaskLocal static var transport = TestClient.Transport.inProcess

    /// A visitor who has not signed in.
    static func visitor(
        environment: Environment = .development,
        publicURL: String? = nil,
        host: String = "localhost",
        root: String = root,
        database: DatabaseURL = .sqlite(path: ":memory:")
    ) throws -> TestClient {
        var settings = try Settings([:])
        settings.environment = environment
        settings.publicURL = try publicURL.map { try PublicURL($0) }
        settings.root = root
        settings.database = database
        return TestClient(try application(settings), host: host, over: transport)
    }

    /// The site, which logs to the test's log.
    static func application(_ settings: Settings) throws -> Application {
        try makeApp(settings, logger: .current)
    }

    /// A visitor who has signed in.
    static func member() async throws -> TestClient {
        let client = try visitor()
        _ = try await client.post("/login", form: ["email": "test@example.com", "password": "123456"])
        return client
    }

    /// The folder of the package, with `Templates` and `public`, wherever the tests are started from.
    static var root: String {
        #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    }
}
