import Processes
import Testing

@Suite("New packages", .timeLimit(.minutes(5)))
struct NewPackageTests {
    /// What a script prints whose first argument is `scripts/new`, in a folder of its own.
    private func printed(_ script: String) async throws -> String {
        let script = #"cd "$TMPDIR"; "# + script + "; echo end; exec sleep 100000"
        let maker = try GuardedProcess(["sh", "-c", script, "sh", Readme.root + "/scripts/new"])
        let text = try await maker.output(upTo: "end")
        try await maker.stop()
        return text
    }

    @Test func `options may stand after the path`() async throws {
        let script = #"""
            "$1" --accounts --languages de first/owls >&2; "$1" second/owls --languages de --accounts >&2
            "$1" --accounts --languages=de third/owls >&2; diff -r first third
            diff -r first second && echo "They are the same."
            """#
        #expect(try await printed(script) == "They are the same.\nend\n")
    }

    @Test func `the name that no resource can have is told before anything is built`() async throws {
        let text = try await printed(#""$1" tools"#)
        #expect(text.contains("if you will want one, choose another\nname for the package now.\n"), "\(text)")
    }

    @Test(arguments: [
        ("-n", "-n cannot be a name: begin with a letter; letters, digits, - and _ may follow."),
        ("owls --account", "--account is no option."),
        ("--acounts owls", "--acounts is no option."),
        (".", "name a folder that is not there yet: its name is that of the package."),
        ("self", "Self is a name that Swift or the package itself uses; choose another."),
        ("swift-log", "swift-log is the name of Roost's folder, or of a package that it uses; choose another."),
        ("owls --api --accounts", "choose one of --api and --accounts."),
    ])
    func `other options are refused, and nothing is made`(arguments: String, message: String) async throws {
        #expect(try await printed("\"$1\" \(arguments) 2>&1; ls") == "scripts/new: \(message)\nend\n")
    }
}
