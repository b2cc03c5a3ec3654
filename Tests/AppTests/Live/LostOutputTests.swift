import RoostTesting
import Testing

/// Commands whose output gets nowhere.
@Suite("Output that is lost", .quietLog, .timeLimit(.minutes(10)))
struct LostOutputTests {
    @Test(arguments: [["routes"], ["config", "--json"], ["check"], ["--help"], ["--version"]], [">/dev/full", ">&-"])
    func `a command fails whose output cannot be written`(arguments: [String], output: String) async throws {
        let (text, code) = try await SiteProcess.fail(
            [:], arguments, under: ["sh", "-c", "exec \"$0\" \"$@\" \(output)"])
        #expect(code == "69")
        // A number that is closed may be the system library's by the time that a program begins.
        let reason = output == ">&-" ? "" : "No space left on device."
        #expect(text.contains("The output could not be written: \(reason)"), "\(text)")
    }

    /// Its reader has left when the command begins.
    @Test(arguments: ["", "trap '' PIPE; "])
    func `a command whose reader has left says nothing`(trap: String) async throws {
        let script = """
            \(trap)mkfifo "$TMPDIR/left"
            { read -r line <"$TMPDIR/left"; "$0" "$@"; echo "code $?" >&2; } | { exec <&-; echo >"$TMPDIR/left"; }
            """
        let (text, code) = try await SiteProcess.fail([:], ["routes"], under: ["sh", "-c", script])
        #expect(code == "0" && text == "code 141", "\(text)")
    }
}
