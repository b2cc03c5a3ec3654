import Glibc
import RoostTesting
import Testing

@testable import Develop
@testable import Roost

/// The parts of the program that `scripts/dev` runs.
@Suite(.timeLimit(.minutes(5)))
struct DevelopTests {
    @Test func `each error is shown once, with the path in the package`() {
        let error = """
            /srv/site/Sources/App/A.swift:3:5: error: cannot find 'x' in scope
            1 | let y = x
              |         `- error: cannot find 'x' in scope
            """
        let output = """
            [1/4] Planning build
            /srv/site/Sources/App/B.swift:1:1: warning: unused
            1 | let z = 1
            \(error)
            error: emit-module command failed with exit code 1
            [4/5] Emitting module App
            \(error)
            """
        let lines = BuildErrors.lines(in: output, package: "/srv/site")
        #expect(lines == error.replacing("/srv/site/", with: "").split(separator: "\n").map(String.init))
        #expect(BuildErrors.lines(in: "error: no such product\n", package: "/srv").first == "error: no such product")
    }

    @Test func `an error that is shown again with fewer lines around it is shown once`() {
        let head = "Sources/App/A.swift:1:14: error: cannot convert value"
        let other = "Sources/App/A.swift:3:9: error: cannot find 'x' in scope"
        let first = [head, "1 | let x: Int = \"a\"", "2 |", "3 | let y = x"]
        let output = first + [other, "3 | let y = x", head, "1 | let x: Int = \"a\"", "2 |"]
        let lines = BuildErrors.lines(in: output.joined(separator: "\n"), package: "/srv/site")
        #expect(lines == first + [other, "3 | let y = x"])
    }

    @Test func `who reads what a program prints does not wait for it`() throws {
        var template = Array("/tmp/roost-child-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The program waits until somebody writes to this.
        let pipe = folder + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let child = try #require(ChildProcess(["cat", pipe], readsOutput: true))
        var byte: UInt8 = 0
        #expect(read(child.output, &byte, 1) == -1 && errno == EAGAIN)
        close(open(pipe, O_WRONLY | O_CLOEXEC))
        #expect(child.wait() == 0)
        #expect(ChildProcess(["rm", "-rf", folder])?.wait() == 0)
    }

    @Test func `it notices code, files, and folders that are new, and no editor's own files`() throws {
        var template = Array("/tmp/roost-watch-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let package = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        func write(_ path: String) { self.write(package + "/" + path) }
        for folder in ["Sources", "Sources/App", "Templates"] { mkdir(package + "/" + folder, 0o700) }
        let watch = SourceWatch(package)
        #expect(watch.changes() == [])
        write("Sources/App/A.swift")
        #expect(nextChanges(of: watch) == [.code])
        write("Templates/a.mustache")
        #expect(nextChanges(of: watch) == [.file])
        write("Package.swift")
        #expect(nextChanges(of: watch) == [.code])
        for path in ["Sources/App/.A.swift.swp", "Sources/App/A.swift~", "README.md"] { write(path) }
        #expect(watch.changes() == [])
        mkdir(package + "/Sources/App/Models", 0o700)
        _ = watch.changes()
        write("Sources/App/Models/B.swift")
        #expect(nextChanges(of: watch) == [.code])
        let remove = ["rm", "-rf", package]
        #expect(ChildProcess(remove)?.wait() == 0)
    }

    @Test func `a change leads to a build, to a reload, or to nothing`() {
        typealias Answer = Workshop.Answer
        for (hasProgram, isBuilding) in [(false, false), (false, true), (true, false)] {
            #expect(Answer(to: [.code, .file], hasProgram: hasProgram, isBuilding: isBuilding) == .build)
            #expect(Answer(to: [], hasProgram: hasProgram, isBuilding: isBuilding) == .nothing)
        }
        #expect(Answer(to: [.file], hasProgram: true, isBuilding: false) == .reload)
        #expect(Answer(to: [.file], hasProgram: false, isBuilding: true) == .nothing)
        // A template that kept the program from starting is mended.
        #expect(Answer(to: [.file], hasProgram: false, isBuilding: false) == .build)
    }

    @Test func `it watches what a program reads at its start, and says when it cannot watch`() throws {
        try inPackage { package in
            for folder in ["Languages", "docs"] { mkdir(package + "/" + folder, 0o700) }
            let watch = SourceWatch(package)
            #expect(watch.mistake == nil)
            write(package + "/Languages/de.po")
            #expect(nextChanges(of: watch) == [.code])
            write(package + "/docs/README.md")
            #expect(nextChanges(of: watch) == [.code])
            write(package + "/.env")
            #expect(nextChanges(of: watch) == [.code])
            #expect(SourceWatch(package, descriptor: -1).mistake != nil)
            // It is no instance of inotify.
            #expect(SourceWatch(package, descriptor: STDERR_FILENO).mistake?.contains("Invalid argument") == true)
        }
        #expect(SourceWatch.sentence(ENOSPC).contains("sysctl fs.inotify.max_user_watches="))
        #expect(SourceWatch.sentence(EMFILE).contains("sysctl fs.inotify.max_user_instances="))
    }

    @Test func `it listens where the program would, as the package's .env says`() throws {
        try inPackage { package in
            write(package + "/.env", "HOST=127.0.0.2\nPORT=0\n")
            let variables = try Develop.variables(of: package, [:])
            let socket = try Develop.listen(variables)
            defer { close(socket) }
            let address = try SocketAddress(boundTo: socket)
            #expect(address.host == "127.0.0.2" && address.port != 0)
            let busy = #expect(throws: StartError.self) {
                try Develop.listen(Develop.variables(of: package, ["PORT": "\(address.port)"]))
            }
            #expect(busy?.description.contains("Cannot listen on 127.0.0.2:\(address.port): another program") == true)
            let production = ["ROOST_ENV": "production", "PORT": "1"]
            #expect(try Develop.variables(of: package, production) == production)
        }
    }

    @Test(arguments: [("PORT", "abc"), ("PORT", "99999"), ("HOST", "unix:/tmp/roost-develop.sock")])
    func `it says what is wrong with its settings`(name: String, value: String) {
        let error = #expect(throws: StartError.self) { try Develop.listen([name: value]) }
        #expect(error?.description.contains("\(name) is \"\(value)\"") == true)
    }

    /// A folder for a package, which is removed in the end.
    private func inPackage(_ body: (String) throws -> Void) throws {
        var template = Array("/tmp/roost-package-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let package = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = ChildProcess(["rm", "-rf", package])?.wait() }
        try body(package)
    }

    /// Waits for changes: a file counts as closed when the copy is closed too that another test's child has until its
    /// `exec`.
    private func nextChanges(of watch: SourceWatch) -> Set<SourceWatch.Change> {
        var changes = watch.changes()
        while changes.isEmpty {
            var entry = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            changes = watch.changes()
        }
        return changes
    }

    private func write(_ path: String, _ text: String = "") {
        guard let file = fopen(path, "we") else { return }
        fputs(text, file)
        fclose(file)
    }

    @Test func `a page shows what has failed, escaped`() async throws {
        let address = try SocketAddress.resolve(host: "127.0.0.1", port: 0)[0]
        let (bound, sockets) = try ListeningSocket.bind(address, count: 1, isShared: true)
        let socket = sockets[0]
        defer { close(socket) }
        let client = WireClient(port: bound.port)
        let misled = try await HTTPConnection.connect(port: bound.port, hostField: "evil.example")
        defer { misled.close() }
        try await misled.send(.get, "/users", headers: [.accept: "text/html"])
        async let html = client.get("/users", headers: [.accept: "text/html"])
        async let text = client.get("/users")
        async let serving: Void = BlockingThread.run {
            let lines = ["linking", "a.swift:1:1: error: a < b", "1 | a < b", "  | `- error: a < b", "2 |"]
            let page = FailurePage(socket, title: "Failed", lines: lines, variables: [:])
            var served = 0
            while served < 3 {
                try BlockingThread.checkCancellation()
                var entries = page.entries
                guard poll(&entries, nfds_t(entries.count), 100) > 0 else { continue }
                served += page.serve()
            }
        }
        let (page, plain) = try await (html, text)
        let refusal = try await misled.readResponse()
        #expect(refusal.status == .misdirectedRequest && !refusal.text.contains("a.swift"))
        #expect(page.status == .internalServerError)
        let shown = """
            <section><pre class="output">linking</pre></section>
            <section><p class="what">a.swift:1:1: error: a &lt; b</p><pre>1 | a &lt; b
            <mark>  | `- error: a &lt; b</mark>
            2 |</pre></section>
            """
        #expect(page.text.contains(shown))
        for text in ["<main>\n<h1>Failed</h1>", "name=\"color-scheme\"", "{ pre { white-space: pre-wrap; } }"] {
            #expect(page.text.contains(text), "\(text)")
        }
        #expect(plain.text.hasPrefix("linking\na.swift:1:1: error: a < b\n1 | "))
        try await serving
    }
}
