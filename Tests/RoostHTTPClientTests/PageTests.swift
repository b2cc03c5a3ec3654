import Glibc
import Roost
import RoostHTTPClient
import RoostTesting
import Testing

// The programs of docs/http-client.md.

struct Weather: Sendable {
    struct Forecast: Codable {
        var sky: String
    }

    let http: HTTPClient
    let url: String

    /// The sky of a town, as another server knows it.
    func sky(over town: String, for request: Request) async throws -> String {
        let response = try await http.continuing(request).get(url, query: ["town": town])
        return try response.successful().json(Forecast.self).sky
    }
}

func makeWeatherApp(_ http: HTTPClient = HTTPClient(), _ url: String) throws -> Application {
    let weather = Weather(http: http, url: url)
    return try Application { routes in
        routes.get(Path("/sky/{town}", String.self)) { request, town in
            try await weather.sky(over: town, for: request)
        }
    }
}

func mirror(_ http: HTTPClient, _ url: String) throws -> Application {
    try Application(middleware: []) { routes in
        routes.get(Path("/film")) { _ in
            let film = try await http.stream(.init(.get, url))
            return Response(film.status, headers: [.contentType: "video/mp4"], body: film.body)
        }
        routes.put(Path("/film"), body: .streamed) { request in
            Response(try await http.put(url, body: request.body).status)
        }
    }
}

func receiver(_ key: WebhookKey) throws -> Application {
    try Application { routes in
        routes.post(Path("/hook")) { request in
            guard try key.isValid(request.headers, body: request.body.bytes) else { throw HTTPError(.unauthorized) }
            let message = try request.decode([String: String].self)
            return "Heard of \(message["type"] ?? "nothing")."
        }
    }
}

// The programs of "Files on S3" in docs/uploads.md.

func photoStore(_ files: String) throws -> any FileStore {
    S3FileStore(S3Bucket(try S3Location(files)))
}

func link(_ bucket: S3Bucket, _ film: String) async throws -> String {
    try bucket.signedURL(.get, "films/\(film).mkv", expiresIn: .hours(1))
}

@Suite(.quietLog, .timeLimit(.minutes(2)))
struct `The page about requests to other servers` {
    @Test func `the sky comes from the other server`() async throws {
        let other = try await TestHTTPServer { routes in
            routes.get(Path("/forecast")) { request in
                JSON(Weather.Forecast(sky: "blue over \(request.query["town"] ?? "")"))
            }
        }
        let client = TestClient(try makeWeatherApp(HTTPClient(), other.url("/forecast")))
        #expect(try await client.get("/sky/Rome").text == "blue over Rome")
    }

    @Test func `a server that fails is a bad gateway`() async throws {
        let http = HTTPClient { _ in HTTPClient.Response(.internalServerError) }
        let client = TestClient(try makeWeatherApp(http, "https://weather.example/forecast"))
        #expect(try await client.get("/sky/Rome").status == .badGateway)
    }

    @Test func `a server that takes too long is a gateway timeout`() async throws {
        let http = HTTPClient { request in throw HTTPClient.Failure(.timedOut, url: request.url) }
        let client = TestClient(try makeWeatherApp(http, "https://weather.example/forecast"))
        #expect(try await client.get("/sky/Rome").status == .gatewayTimeout)
        let failure = HTTPClient.Failure(.unreachable, url: "https://ann:secret@weather.example/")
        #expect("\(failure)" == "https://weather.example/ does not respond as expected.")
    }

    @Test func `a film passes through in both directions`() async throws {
        let store = try await TestHTTPServer { routes in
            routes.get(Path("/film")) { _ in Response(body: Body([UInt8](repeating: 7, count: 500_000))) }
            routes.put(Path("/film"), body: .streamed) { request in
                var count = 0
                for try await piece in request.body { count += piece.count }
                return Response(count == 500_000 ? .created : .badRequest)
            }
        }
        let client = TestClient(try mirror(HTTPClient(), store.url("/film")))
        #expect(try await client.get("/film").body.count == 500_000)
        #expect(try await client.put("/film", body: [UInt8](repeating: 7, count: 500_000)).status == .created)
    }

    @Test func `the options exist`() {
        let patient = HTTPClient(retries: RetryPolicy(tries: 4, pause: .milliseconds(100)))
        let careful = HTTPClient(allows: .publicAddresses, maximumRedirects: 3)
        #expect(patient.retries?.tries == 4)
        #expect(careful.maximumRedirects == 3)
    }

    @Test func `a webhook is signed`() async throws {
        let http = HTTPClient { request in .init(request.headers[.webhookSignature] == nil ? .unauthorized : .accepted)
        }
        let url = "https://example.org/hook"
        let key = try WebhookKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let body = try JSONCoder().encode(["type": "egg.laid"])
        var headers = key.headers(id: "msg_17", body: body)
        headers[.contentType] = "application/json"
        let response = try await http.post(url, body: Body(body), headers: headers)
        #expect(response.status == .accepted)
    }

    @Test func `a receiver hears what its key has signed`() async throws {
        let key = try WebhookKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let client = TestClient(try receiver(key))
        let body = try JSONCoder().encode(["type": "egg.laid"])
        var headers = key.headers(id: "msg_17", body: body)
        headers[.contentType] = "application/json"
        #expect(try await client.post("/hook", headers: headers, body: body).text == "Heard of egg.laid.")
        let other = try JSONCoder().encode(["type": "egg.sold"])
        #expect(try await client.post("/hook", headers: headers, body: other).status == .unauthorized)
    }

    @Test func `a link to a film is one of its bucket`() async throws {
        let bucket = S3Bucket(try S3Location("s3://key:secret@nests"))
        let url = try await link(bucket, "owl 1")
        #expect(url.hasPrefix("https://nests.s3.us-east-1.amazonaws.com/films/owl%201.mkv?X-Amz-Algorithm="))
    }

    @Test(arguments: [("docs/http-client.md", "", 7), ("docs/uploads.md", "## Files on S3", 2)])
    func `its programs are compiled`(path: String, after title: String, count: Int) throws {
        let text = try Self.text(path)
        let page = title.isEmpty ? text : String(text.split(separator: title).last ?? "")
        let source = try Self.text("Tests/RoostHTTPClientTests/PageTests.swift")
        let blocks = page.split(separator: "```swift\n").dropFirst().compactMap { $0.split(separator: "```").first }
        #expect(blocks.count == count)
        for block in blocks {
            for paragraph in block.split(separator: "\n\n") {
                let lines = paragraph.split(separator: "\n")
                let isCompiled = ["", "    ", "        "].contains { indent in
                    source.contains("\n" + lines.map { "\(indent)\($0)\n" }.joined())
                }
                #expect(isCompiled, "\(paragraph)")
            }
        }
    }

    @Test(arguments: ["docs/uploads.md", ".env.example"])
    func `every variable of a place on S3 is named`(path: String) throws {
        let source = try Self.text("Sources/RoostHTTPClient/S3/S3Location.swift")
        let names = source.split(separator: "set(\"").dropFirst().compactMap { $0.split(separator: "\"").first }
        #expect(names.count == 7)
        let words = try Self.text(path).split { !($0.isUppercase || $0.isNumber || $0 == "_") }
        for name in names { #expect(words.contains(name), "\(name)") }
    }

    private static func text(_ path: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let file = try #require(fopen("\(root)/\(path)", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
