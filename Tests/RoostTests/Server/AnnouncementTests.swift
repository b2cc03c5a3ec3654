import Glibc
import Logging
import Testing

@testable import Roost

/// The framework's own words, which go through its logger, and nowhere else.
@Suite("What a start says", .timeLimit(.minutes(5)))
struct AnnouncementTests {
    @Test func `without onStart the URL is logged, and nothing is printed`() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            var configuration = ServerConfiguration()
            configuration.port = 0
            // SIGTERM as soon as the line is logged; without the line it would run for ever.
            let logger = Logger(label: "test") { _ in
                LineHandler { level, line in
                    guard level == .notice, line.hasPrefix("Roost answers at http://127.0.0.1:") else { return }
                    kill(getpid(), SIGTERM)
                }
            }
            try await Application(configuration: configuration, logger: logger) { _ in }.run()
            exit(EXIT_SUCCESS)
        }
        let printed = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
        #expect(!printed.contains("Roost"), "\(printed)")
    }

    @Test func `with onStart nothing is logged: the caller decides`() async throws {
        await #expect(processExitsWith: .success) {
            var configuration = ServerConfiguration()
            configuration.port = 0
            let logger = Logger(label: "test") { _ in
                LineHandler { level, line in if level >= .notice { exit(EXIT_FAILURE) } }
            }
            let application = try Application(configuration: configuration, logger: logger) { _ in }
            try await application.run { server in
                guard server.port > 0 else { exit(EXIT_FAILURE) }
                server.shutdown()
            }
            exit(EXIT_SUCCESS)
        }
    }

    @Test(arguments: [
        "Roost", "RoostSQL", "RoostSQLite", "RoostPostgres", "RoostTesting", "RoostAuth", "RoostJobs", "RoostMail",
        "RoostHTTPClient", "RoostTLS",
    ])
    func `no module prints`(module: String) {
        let paths = Sources.paths(below: "Sources/" + module)
        #expect(!paths.isEmpty)
        for path in paths {
            for line in Readme.contents(path).split(separator: "\n") {
                let words = Sources.code(in: line).split { !($0.isLetter || $0.isNumber || $0 == "_") }
                #expect(!words.contains { ["print", "debugPrint", "puts", "printf"].contains($0) }, "\(path): \(line)")
            }
        }
    }
}

private struct LineHandler: LogHandler {
    let hear: @Sendable (Logger.Level, String) -> Void
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    init(_ hear: @escaping @Sendable (Logger.Level, String) -> Void) { self.hear = hear }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { hear(event.level, "\(event.message)") }
}
