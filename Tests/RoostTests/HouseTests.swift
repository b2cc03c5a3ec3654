import Testing

/// The walls of the house: which room may use which, read from the sources.
@Suite("The house", .timeLimit(.minutes(5)))
struct HouseTests {
    /// The rooms of the framework, each with the other rooms that it may use.
    static let uses: [String: Set<String>] = [
        "Bytes": [],
        "Configuration": ["Bytes"],
        "Calendar": ["Configuration", "Bytes"],
        "Languages": ["Calendar", "Configuration", "Bytes"],
        "Timeline": [],
        "Window": [
            "Timeline", "Routing", "Server", "Metrics", "LivePages", "Live", "Views", "Templates",
            "Middleware", "HTTP", "Headers", "Configuration", "Bytes",
        ],
        "Logging": ["Timeline", "EventLoop", "Configuration", "Bytes"],
        "Clients": ["Configuration", "Bytes"],
        "Headers": ["Clients", "Bytes"],
        "HTTP": ["Languages", "Calendar", "Headers", "Clients", "Configuration", "Bytes"],
        "Negotiation": ["HTTP", "Headers", "Bytes"],
        "Encoding": ["Bytes"],
        "JSON": ["Encoding", "Bytes"],
        "Templates": ["Languages", "Encoding", "Configuration", "Bytes"],
        "HTTP1": ["HTTP", "Headers", "Clients", "Bytes"],
        "WebSocket": ["HTTP", "Headers", "Clients", "Bytes"],
        "Forms": ["Languages", "Calendar", "Files", "HTTP", "Headers", "Clients", "Configuration", "Bytes"],
        "Views": [
            "Languages", "Encoding", "JSON", "Templates", "Forms", "Files", "WebSocket", "Negotiation", "HTTP",
            "Headers", "Configuration", "Timeline", "Bytes",
        ],
        "Lists": ["Languages", "Views", "JSON", "Forms", "Files", "Encoding", "HTTP", "Headers", "Bytes"],
        "Sessions": ["HTTP", "Headers", "Configuration", "Bytes"],
        "Files": ["Languages", "Negotiation", "HTTP", "Headers", "Clients", "Configuration", "Bytes"],
        "Live": ["Views", "JSON", "HTTP", "Headers", "Configuration", "Bytes", "EventLoop"],
        "LivePages": [
            "Timeline", "Routing", "Middleware", "Live", "Views", "Templates", "JSON", "HTTP1", "HTTP", "Headers",
            "Configuration", "Bytes",
        ],
        "Middleware": [
            "Languages", "Calendar", "Timeline", "Files", "Forms", "Sessions", "Views", "JSON", "Templates",
            "Negotiation", "HTTP", "Headers", "Clients", "Logging", "Configuration", "Bytes",
        ],
        "Description": [
            "Middleware", "Lists", "Live", "Views", "Forms", "Files", "JSON", "Encoding", "Templates", "WebSocket",
            "Negotiation", "Calendar", "HTTP", "Headers", "Configuration", "Bytes",
        ],
        "Routing": [
            "Languages", "Description", "Middleware", "Live", "Views", "Forms", "JSON", "WebSocket", "HTTP", "Headers",
            "Configuration", "Bytes",
        ],
        "Reload": ["Middleware", "Live", "HTTP", "EventLoop", "Configuration", "Bytes"],
        "EventLoop": [],
        "Metrics": ["HTTP", "Headers", "Bytes"],
        "Connection": ["Metrics", "EventLoop", "HTTP1", "HTTP", "Headers", "Clients", "Bytes"],
        "WebSocketSession": [
            "Connection", "EventLoop", "WebSocket", "HTTP", "Headers", "Clients", "Configuration", "Bytes",
        ],
        "Streams": ["Connection", "Metrics", "EventLoop", "HTTP1", "HTTP", "Headers", "Clients", "Bytes"],
        "Server": [
            "Metrics", "Logging", "Connection", "EventLoop", "HTTP", "Headers", "Clients", "Configuration", "Bytes",
        ],
        "Health": ["Server", "EventLoop", "JSON", "HTTP", "Configuration", "Bytes"],
        "Jobs": ["Server", "EventLoop", "Configuration", "Bytes"],
    ]

    @Test(arguments: uses.keys.sorted())
    func `a room uses only the rooms that it may`(room: String) throws {
        let allowed = try #require(Self.uses[room]).union([room])
        let foreign = Sources.declared.filter { !allowed.contains($0.value) }
        for file in Sources.files(room) {
            for word in Set(file.words) {
                guard let owner = foreign[word] else { continue }
                Issue.record("\(file.name) uses \(word), which is \(owner)'s")
            }
        }
    }

    @Test func `every file but the one that joins the two halves is in a room`() {
        let rooms = Set(Sources.files("").map { $0.name.split(separator: "/").dropLast().first.map(String.init) })
        #expect(rooms == Set(Self.uses.keys.map { $0 } + [nil]))
        #expect(Sources.files("").filter { !$0.name.contains("/") }.map(\.name) == ["Application.swift"])
    }

    /// A type, or a member of one, that a README names in backticks must be in the sources.
    @Test(arguments: uses.keys.sorted())
    func `the README of each room names what is there`(room: String) {
        let text = Readme.contents("Sources/Roost/\(room)/README.md")
        #expect(text.hasPrefix("# "))
        for (index, name) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where !index.isMultiple(of: 2) && name.first?.isUppercase == true && name.contains(where: \.isLowercase) {
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." }), !name.hasPrefix("Roost") else {
                continue
            }
            for part in name.split(separator: ".") where part != "swift" {
                let isThere = Self.words.contains(String(part))
                #expect(isThere, "\(room)/README.md: \(name)")
            }
        }
    }

    private static let words = Set(Sources.files("").flatMap { $0.words + [$0.baseName] })

    @Test func `only three rooms see libevent`() {
        for room in Self.uses.keys where !["EventLoop", "Connection", "Server"].contains(room) {
            for file in Sources.files(room) { #expect(!file.text.contains("import CLibevent"), "\(file.name)") }
        }
    }

    /// The modules beside the framework, each with the modules of this package that it may import.
    static let modules = [
        ("RoostSQL", ["Roost"]), ("RoostSQLite", ["CSQLite", "Roost", "RoostSQL"]),
        ("RoostPostgres", ["CPostgres", "Roost", "RoostSQL"]), ("RoostAuth", ["CSodium", "Roost", "RoostSQL"]),
        ("RoostJobs", ["Roost", "RoostSQL"]), ("RoostHTTPClient", ["CCurl", "Roost"]),
        ("RoostTLS", ["CNghttp2", "COpenSSL", "Roost", "RoostHTTPClient", "RoostSQL"]),
        ("RoostMail", ["CCurl", "Roost", "RoostJobs", "RoostSQL"]),
        ("RoostCommands", ["Roost", "RoostJobs", "RoostSQL"]),
        ("RoostTLSCommands", ["Roost", "RoostCommands", "RoostTLS"]),
        ("RoostAuthCommands", ["Roost", "RoostAuth", "RoostCommands", "RoostSQL"]),
        ("Manual", ["CCmark", "Roost"]),
        ("Patterns", ["Roost"]),
        (
            "App",
            [
                "Manual", "Patterns", "Roost", "RoostAuth", "RoostAuthCommands", "RoostCommands", "RoostHTTPClient",
                "RoostJobs", "RoostMail", "RoostPostgres",
                "RoostSQL", "RoostSQLite", "RoostTLS", "RoostTLSCommands",
            ]
        ),
    ]

    @Test(arguments: modules)
    func `a module beside the framework has walls, too`(module: String, allowed: [String]) {
        let paths = Sources.paths(below: "Sources/" + module)
        let texts = paths.map(Readme.contents)
        #expect(!texts.isEmpty)
        for (path, text) in zip(paths, texts) {
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 301, "\(path)")
            for line in text.split(separator: "\n") where line.hasPrefix("import ") || line.contains(" import ") {
                guard !line.hasPrefix("//"), !line.hasPrefix(" "), let name = line.split(separator: " ").last
                else { continue }
                let isOwn = name.hasPrefix("Roost") || name.hasPrefix("C") && name != "CoreMetrics" || name == "App"
                #expect(!isOwn || allowed.contains(String(name)), "\(path) imports \(name)")
                #expect(name != "Foundation", "\(path)")
            }
        }
    }

    @Test func `nobody imports the whole of Foundation`() {
        for file in Sources.files("") { #expect(!file.words.contains("Foundation"), "\(file.name)") }
    }

    @Test func `files are short`() {
        for file in Sources.files("") { #expect(file.lineCount <= 300, "\(file.name)") }
    }

    /// The formatter breaks lines of code, but not of comments.
    @Test(arguments: ["Sources", "Tests"])
    func `comments end before column 120`(folder: String) {
        for path in Sources.paths(below: folder) {
            for (index, line) in Readme.contents(path).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            where line.drop(while: { $0 == " " }).hasPrefix("//") {
                #expect(line.unicodeScalars.count <= 120, "\(path):\(index + 1)")
            }
        }
    }

    /// The places where the compiler is told to trust code whose thread safety it cannot check, in all modules. Each
    /// could be a data race, so each states its reason.
    @Test func `code whose thread safety the compiler does not check says why`() {
        for path in Sources.paths(below: "Sources") {
            let lines = Readme.contents(path).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                let code = Sources.code(in: line)
                guard code.contains("@unchecked") || code.contains("nonisolated(unsafe)") else { continue }
                let comment = lines[..<index].reversed().prefix { $0.drop { $0 == " " }.hasPrefix("//") }
                #expect(comment.contains { $0.contains("`@unchecked Sendable`") }, "\(path):\(index + 1) has no reason")
            }
        }
    }

    /// A time limit only cancels the test's task.
    @Test func `what waits in a test looks whether its time is over`() {
        for path in Sources.paths(below: "Tests") {
            let lines = Readme.contents(path).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                let indent = line.prefix { $0 == " " }
                guard line.dropFirst(indent.count).hasPrefix("while ") else { continue }
                let rest = lines[index...].prefix { !$0.hasPrefix(indent + "}") }
                let loop = line.hasSuffix("}") ? String(line) : rest.joined(separator: "\n")
                let isEndless = line.hasSuffix("while true { await Task.yield() }")
                #expect(
                    isEndless || !loop.contains("Task.yield()") || loop.contains("isCancelled")
                        || loop.contains("checkCancellation"),
                    "\(path):\(index + 1): call turn() instead"
                )
            }
        }
    }

    /// Without a reason, nobody reads why it was skipped, nor what is missing on this machine.
    @Test func `a test that may be skipped says why`() {
        for path in Sources.paths(below: "Tests") {
            for (index, line) in Readme.contents(path).split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            where Sources.code(in: line).contains(".enabled(if:") || Sources.code(in: line).contains(".disabled(") {
                #expect(line.contains(", \"") || line.contains(".disabled(\""), "\(path):\(index + 1)")
            }
        }
    }

    /// So that a test that never ends fails. A limit also holds for the suites inside a suite.
    @Test func `every suite has a time limit`() {
        let texts = Sources.paths(below: "Tests").map { (path: $0, text: Readme.contents($0)) }
        let limited = texts.filter { $0.text.contains(".timeLimit(") }
        for (path, text) in texts {
            for type in text.split(separator: "\n}\n") where type.contains("    @Test") {
                let lines = type.split(separator: "\n")
                let head = lines.prefix { !$0.hasSuffix("{") }.joined() + (lines.first { $0.hasSuffix("{") } ?? "")
                let parent = head.firstRange(of: "extension ").map { head[$0.upperBound...].prefix { $0 != " " } }
                #expect(
                    head.contains(".timeLimit(")
                        || parent.map { parent in limited.contains { $0.text.contains(" \(parent) {") } } ?? false,
                    "\(path): \(head.suffix(100))"
                )
            }
        }
    }
}
