import FoundationEssentials
import Glibc
import Processes
import Testing

/// The end of `scripts/dev`, which leaves its program the time to end well.
@Suite("The end of scripts/dev", .timeLimit(.minutes(5)))
struct DevelopEndTests {
    /// A program whose end takes a while, and which counts the signals until then: the second would end one of Roost's
    /// at once. It also ends when scripts/dev is no longer there.
    private static let program = """
        #!/bin/sh
        signals=0
        trap 'signals=$((signals + 1))' INT TERM
        echo "The program runs."
        while [ $signals = 0 ] && kill -0 $PPID; do /bin/true; done
        for step in $(seq 100); do /bin/true; done
        echo "Signals: $signals."

        """

    @Test(arguments: [true, false])
    func `the program gets one signal, at Ctrl-C and when only scripts/dev gets one`(isCtrlC: Bool) async throws {
        let files = FileManager.default
        let root = files.temporaryDirectory.path + "/roost-ended-\(UUID().uuidString)"
        defer { try? files.removeItem(atPath: root) }
        for folder in ["/bin", "/.build/debug"] {
            try files.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        // Its compiler has nothing to do. A file that this process has written might still be open for writing in a
        // child that another test starts at this moment, and could not be run (ETXTBSY): so a copy of it is.
        for (file, text) in [("/bin/swift", "#!/bin/sh\n"), ("/.build/debug/App", Self.program)] {
            try Data(text.utf8).write(to: URL(filePath: root + file + ".text"))
        }
        let terminal = try Terminal()
        // The first process of a session gets the terminal that it opens, and is in front there with its children.
        let script = """
            echo $$
            for file in bin/swift .build/debug/App; do install -m 700 "$1/$file.text" "$1/$file"; done
            PATH=$1/bin:$PATH HOST=127.0.0.1 PORT=0 exec "$2/Develop" "$1" App <"$3" 2>&1
            """
        let develop = try GuardedProcess(["sh", "-c", script, "sh", root, SiteProcess.products, terminal.path])
        let output = try await develop.output(upTo: "Built and started")
        let pid = try #require(output.split(separator: "\n").first.flatMap { pid_t($0) })
        if !output.contains("The program runs.") { _ = try await develop.output(upTo: "The program runs.") }
        if isCtrlC { terminal.press("\u{3}") } else { kill(pid, SIGINT) }
        #expect(try await develop.output(upTo: "Signals").contains("Signals: 1."))
        try await develop.stop()
    }
}
