import FoundationEssentials
import Processes

/// A scratch package that the program of `scripts/dev` works on: files are watched, programs are started and replaced
/// on one listening socket, and pages reload as for a person. Only the compiler is another one, which takes no time: it
/// "builds" the program whose name is the only line of `Sources/App/App.swift`, one of those that tests have built, and
/// any other name is an error.
struct DevelopedPackage {
    private let root: String
    private let develop: GuardedProcess
    /// The URL at which it is served.
    let url: String

    /// Starts with `Chat` as its program, and returns when that has been started.
    static func start() async throws -> DevelopedPackage {
        let files = FileManager.default
        let root = files.temporaryDirectory.path + "/roost-developed-\(UUID().uuidString)"
        try files.createDirectory(atPath: root, withIntermediateDirectories: true)
        for folder in ["Templates", "public"] {
            try files.copyItem(atPath: Site.root + "/Tests/Chat/" + folder, toPath: root + "/" + folder)
        }
        let users = "/Templates/users"
        try files.copyItem(atPath: Site.root + "/Tests/UserSite" + users, toPath: root + users)
        for folder in ["/Sources/App", "/.build/debug", "/bin"] {
            try files.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
        }
        try write(root + "/Sources/App/App.swift", "Chat")
        try write(root + "/bin/swift.text", compiler)
        let port = try FreePort.next()
        // What this process has written might still be open for writing in a child that another test starts at this
        // moment, and could not be run (ETXTBSY): so a copy of it is.
        let script = """
            install -m 700 "$1/bin/swift.text" "$1/bin/swift"
            PATH=$1/bin:$PATH PROGRAMS=$2 HOST=127.0.0.1 PORT=$3 exec "$2/Develop" "$1" App 2>&1
            """
        let develop = try GuardedProcess(["sh", "-c", script, "sh", root, SiteProcess.products, "\(port)"])
        _ = try await develop.output(upTo: "Built and started")
        return DevelopedPackage(root: root, develop: develop, url: "http://127.0.0.1:\(port)")
    }

    /// It is started as `swift build --package-path PACKAGE --product PRODUCT`, and prints what swiftc 6.3 prints.
    private static let compiler = """
        #!/bin/sh
        read -r name <"$3/Sources/App/App.swift"
        echo "[1/3] Compiling App App.swift"
        if [ -x "$PROGRAMS/$name" ]; then
            ln -sf "$PROGRAMS/$name" "$3/.build/debug/$5"
            exit
        fi
        cat <<TEXT
        $3/Sources/App/App.swift:1:14: error: cannot find '$name' in scope
        1 | let routes = $name(prefix: "<api>", middleware: [RequestIDs(), SecurityHeaders()], users: users)
          |              \\`- error: cannot find '$name' in scope
        2 |

        error: emit-module command failed with exit code 1 (use -v to see invocation)
        TEXT
        exit 1

        """

    private static func write(_ path: String, _ text: String) throws {
        try Data((text + "\n").utf8).write(to: URL(filePath: path), options: .atomic)
    }

    /// Edits the code.
    func build(_ program: String) throws { try Self.write(root + "/Sources/App/App.swift", program) }

    /// Replaces a text in a file that is read while the program runs.
    func edit(_ file: String, _ old: String, to new: String) throws {
        let path = root + "/" + file
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        try Self.write(path, text.replacing(old, with: new))
    }

    /// Removes the package; what runs there ends with the object.
    func remove() { try? FileManager.default.removeItem(atPath: root) }
}
