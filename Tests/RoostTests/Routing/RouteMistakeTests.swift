import Glibc
import Roost
import RoostTesting
import Testing

/// The compiler's view of routes, in a separate run: it needs few steps for long paths, and
/// tells the author what to write instead of common mistakes.
@Suite("Routes as the compiler sees them", .timeLimit(.minutes(5)))
struct RouteMistakeTests {
    @Test func `a path of ten literals and six parameters needs no search`() async throws {
        let path = """
            Path("/a/b/c/d/e/f/g/h/i/j/{a}/{b}/{c}/{d}/{e}/{f}", Int.self, String.self, UUID.self, \
            Int.self, Int8.self, RemainingPath.self)
            """
        let output = try await Self.typecheck(
            """
            routes.get(\(path)) { _, a, b, c, d, e, f in try await work(); return "\\(a + d) \\(b) \\(c) \\(e) \\(f)" }
            routes.get(\(path)) { _, a, b, c, d, e, f in "\\(a + d) \\(b) \\(c) \\(e) \\(f)" }
            routes.post(one, use: show)
            routes.webSocket(\(path)) { socket, _, a, b, c, d, e, f in
                for try await message in socket { try await socket.send(message) }
                try await socket.send("\\(a + d) \\(b) \\(c) \\(e) \\(f)")
            }
            """,
            // How often the search for types may branch; by default the compiler allows 1,000,000.
            options: ["-Xfrontend", "-solver-scope-threshold=1000"]
        )
        #expect(output == "")
    }

    @Test(arguments: [
        (#"routes.get(one) { "Hello" }"#, "a value for each parameter: { request, id in … }"),
        (#"routes.get(one) { _ in "Hello" }"#, "a value for each parameter: { request, id in … }"),
        (#"routes.get(one) { _, id, more in "Hello" }"#, "a value for each parameter: { request, id in … }"),
        (#"routes.get(all) { _, id in "Hello" }"#, "a value for each parameter: { request, id in … }"),
        (#"routes.get(Path("/a")) { _, id in "Hello" }"#, "a value for each parameter: { request, id in … }"),
        (#"routes.get(Path("/a/{b}", Int.self)) { _ in "Hello" }"#, "a value for each parameter: { request, id in … }"),
        (#"routes.get(Path("/a/{b}", Int.self)) { request in request.path }"#, "a value for each parameter"),
        (#"routes.get(Path("/{a}/{b}", Int.self, Int.self)) { _ in "Hello" }"#, "a value for each parameter"),
        (#"routes.get(Path("/a/{b}", Int.self)) { (_, b: String) in b }"#, "must have the type that the path says"),
        (#"routes.get(one, use: name)"#, "must have the type that the path says"),
        (#"routes.group("/api") { _ in }"#, #"a prefix is a path: Path("/api")"#),
        (#"routes.group(one) { $0.get(all) { _ in "Hello" } }"#, "a group's prefix has no parameters"),
        (#"routes.group(Path("/a/{b}", Int.self)) { _ in }"#, "a group's prefix has no parameters"),
        (#"routes.get(all) { _ in try await work(); return work }"#, "JSON(value), a View, a Response or a String"),
        (#"routes.get(one) { _, id in 7 }"#, "JSON(value), a View, a Response or a String"),
        (#"routes.get("/users") { _ in "Hello" }"#, #"Path("/users"), or Path("/users/{id}", Int.self)"#),
        (#"routes.get("/users/{id}") { _, id in "Hello" }"#, #"Path("/users"), or Path("/users/{id}", Int.self)"#),
        (#"routes.get(one) { _, id in 7 }.describe("Shows one.")"#, "JSON(value), a View, a Response or a String"),
        (#"routes.get(one, use: count).describe("Counts.")"#, "JSON(value), a View, a Response or a String"),
        (#"routes.get("/users") { _ in "Hello" }.describe("Lists.")"#, #"a path is a value: Path("/users")"#),
        (#"routes.get("/u/{id}") { _, id in "Hello" }.describe("Shows.")"#, #"a path is a value: Path("/users")"#),
        (#"routes.webSocket(all) { socket in try await work() }"#, "{ socket, request in … }"),
        (#"routes.webSocket(one) { socket, _ in try await work() }"#, "{ socket, request in … }"),
        (#"routes.webSocket(all) { socket, _, id in try await work() }"#, "{ socket, request in … }"),
        (#"routes.webSocket("/chat") { socket, _ in try await work() }"#, #"Path("/rooms/{room}", String.self)"#),
        (#"routes.get(Path("/{x}", Double.self)) { _, x in "Hello" }"#, "'Double' conform to 'PathParameter'"),
    ])
    func `for a common mistake the compiler says what to write`(mistake: String, words: String) async throws {
        let output = try await Self.typecheck(mistake)
        #expect(output.contains(words), "\(output)")
    }

    @Test(arguments: [
        ("routes.get(all) { request in\nlet x = request.nonsense\nreturn x\n}", "10:17: error:", "member 'nonsense'"),
        ("routes.get(all) { request in request.nonsense }", "9:38: error:", "member 'nonsense'"),
        ("routes.get(one) { request, id in\nlet x = request.nonsense\nreturn x\n}", "10:17:", "member 'nonsense'"),
        ("routes.delete(one) { request, id in\nprint(id)\n}", "9:14: error:", "JSON(value), a View, a Response"),
    ])
    func `a mistake in a handler is named where it is`(lines: String, place: String, words: String) async throws {
        let output = try await Self.typecheck(lines)
        #expect(output.contains(place) && output.contains(words), "\(output)")
    }

    /// The compiler's output for some lines in a function that declares routes.
    private static func typecheck(_ lines: String, options: [String] = []) async throws -> String {
        let source = """
            import FoundationEssentials
            import Roost
            let all = Path("/users")
            let one = Path("/users/{id}", Int.self)
            func work() async throws {}
            func show(_ request: Request, id: Int) async throws -> some ResponseConvertible { "\\(id)" }
            func name(_ request: Request, id: String) async throws -> String { id }
            func declare(_ routes: Routes) {
            \(lines)
            }
            func count(_ request: Request, id: Int) async throws -> Int { id }
            """
        let tests = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        let modules = tests.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Modules"
        let sources = Readme.root + "/Sources"
        let command =
            ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-I", modules]
            + ["-I", sources + "/CLibevent", "-I", sources + "/CLinux", "-I", sources + "/CZlib"] + options + ["-"]
        return try await BlockingThread.run { try Self.output(of: command, input: source) }
    }

    private static func output(of command: [String], input: String) throws -> String {
        var name = Array("/tmp/roost-typecheck-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw SystemError("mkstemp") }
        defer {
            close(descriptor)
            unlink(name)
        }
        let written = write(descriptor, input, input.utf8.count)
        guard written == input.utf8.count else { throw SystemError("write") }
        let file = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let quoted = command.map { "'\($0)'" }.joined(separator: " ")
        guard let pipe = popen("\(quoted) <'\(file)' 2>&1", "r") else { throw SystemError("popen") }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
