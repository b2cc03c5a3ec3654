import HTTPTypes
import Processes
import RoostTesting
import Testing

/// How a command gets a password, with the site's binary.
@Suite("The password of a command", .quietLog, .timeLimit(.minutes(10)))
struct PasswordOptionTests {
    private static let add = ["accounts", "add", "ann@example.com"]

    @Test func `the end of the line is no part of the password, be it LF or CRLF`() async throws {
        let data = try AccountCommandTests.Data()
        defer { data.remove() }
        #expect(try await AccountCommandTests.run(data, ["migrate"]).code == "0")
        let input = ["sh", "-c", #"printf 'correct horse\r\n' | "$@""#, "sh"]
        let (output, code) = try await SiteProcess.fail(
            data.variables, Self.add + ["--password-stdin"], under: input)
        #expect(code == "0", "\(output)")
        let site = try await SiteProcess.start(data.variables, under: SiteProcess.quiet)
        #expect(try await AccountCommandTests.signIn(site, "correct horse") == .ok)
        #expect(try await site.terminate() == "0")
    }

    @Test func `after Ctrl-C at the prompt the terminal shows again what is typed`() async throws {
        let data = try AccountCommandTests.Data()
        defer { data.remove() }
        #expect(try await AccountCommandTests.run(data, ["migrate"]).code == "0")
        let terminal = try Terminal()
        // The first process of a session gets the terminal that it opens. As a shell in the background it ignores
        // Ctrl-C, and so would its child.
        let script = """
            exec <"$1" 2>"$1"
            shift
            env --default-signal=INT "$@"
            echo "exit code $?"
            """
        let variables = data.variables.merging(["DATA_DIR": data.folder, "ROOT": Site.root]) { $1 }
        let command = variables.map { "\($0.key)=\($0.value)" } + [SiteProcess.products + "/App"] + Self.add
        let process = try GuardedProcess(["sh", "-c", script, "sh", terminal.path] + command)
        try await terminal.wait(for: "Password: ")
        #expect(!terminal.showsTyping)
        terminal.press("\u{3}")
        #expect(try await process.output(upTo: "exit code").contains("exit code 130"))
        #expect(terminal.showsTyping)
        try await process.stop()
    }
}
