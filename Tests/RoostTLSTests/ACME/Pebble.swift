import Glibc
import Processes
import Roost
import RoostTesting

@testable import RoostTLS

/// pebble, an authority for tests (RFC 8555), with a DNS in which every name is this machine's.
final class Pebble: Sendable {
    /// The ports at which it looks for proofs.
    let plainPort, securePort: Int
    let directory: String
    /// The path of the authority that its own certificate is of.
    let authority: String
    private let process: GuardedProcess

    static let isInstalled = ["pebble", "pebble-challtestsrv", "openssl"].allSatisfy { name in
        access("/usr/bin/\(name)", X_OK) == 0
    }

    /// Starts it, and waits until it listens. Three of ten good nonces are refused.
    init() async throws {
        let (port, names, control) = (try FreePort.next(), try FreePort.next(), try FreePort.next())
        (plainPort, securePort) = (try FreePort.next(), try FreePort.next())
        let configuration = """
            {"pebble": {"listenAddress": "127.0.0.1:\(port)", "managementListenAddress": "",
             "certificate": "ca.pem", "privateKey": "key.pem", "httpPort": \(plainPort), "tlsPort": \(securePort),
             "ocspResponderURL": "", "externalAccountBindingRequired": false}}
            """
        let script = """
            cd "$TMPDIR"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -keyout key.pem \
                -out ca.pem -subj /CN=localhost -addext subjectAltName=DNS:localhost >/dev/null 2>&1 || exit
            printf '%s' "$1" >config.json
            pebble-challtestsrv -defaultIPv6 "" -dns01 127.0.0.1:$3 -http01 "" -https01 "" -tlsalpn01 "" \
                -management 127.0.0.1:$4 >/dev/null 2>&1 &
            { until (exec 3<>/dev/tcp/127.0.0.1/$2 4<>/dev/tcp/127.0.0.1/$3) 2>/dev/null; do sleep 0.02; done
              echo "listening $TMPDIR;"; } &
            export PEBBLE_VA_NOSLEEP=1 PEBBLE_WFE_NONCEREJECT=30 PEBBLE_AUTHZREUSE=0
            exec pebble -config config.json -dnsserver 127.0.0.1:$3 >/dev/null
            """
        let arguments = ["bash", "-c", script, "bash", configuration, "\(port)", "\(names)", "\(control)"]
        process = try GuardedProcess(arguments)
        let output = try await process.output(upTo: "listening")
        authority = "\(output.split(separator: "listening ").last?.prefix { $0 != ";" } ?? "")/ca.pem"
        directory = "https://localhost:\(port)/dir"
    }

    func settings(_ hosts: [String], folder: String = "") -> ACMESettings {
        var settings = ACMESettings(hosts: hosts)
        settings.directory = directory
        settings.authority = authority
        settings.folder = folder
        return settings
    }

    func stop() async throws { try await process.stop() }
}

/// A folder for a test, which is removed with the object.
final class AccountFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/roost-acme-XXXXXX".utf8CString)
        mkdtemp(&template)
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/acme"
    }

    /// The names of its files.
    var names: [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    func mode(_ name: String) -> UInt32 {
        var facts = stat()
        return stat("\(path)/\(name)", &facts) == 0 ? facts.st_mode & 0o777 : 0
    }

    deinit {
        for name in names { unlink("\(path)/\(name)") }
        rmdir(path)
        rmdir(String(path.dropLast("/acme".count)))
    }
}
