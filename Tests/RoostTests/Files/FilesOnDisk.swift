import CLibevent
import Glibc
import RoostTesting
import Testing

@testable import Roost

/// A folder of a test's own, removed with it.
final class FilesOnDisk {
    let path: String

    init() throws {
        var template = Array("/tmp/roost-files-XXXXXX".utf8CString)
        path = try #require(mkdtemp(&template)).withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
    }

    deinit { _ = run(["rm", "-rf", path]) }

    func write(_ name: String, _ bytes: [UInt8]) {
        let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        close(file)
    }

    /// Writes a file whose content last changed at a time in seconds since 1970.
    func write(_ name: String, _ text: String, modified second: Int) {
        write(name, Array(text.utf8))
        let time = timespec(tv_sec: second, tv_nsec: 0)
        utimensat(AT_FDCWD, path + "/" + name, [time, time], 0)
    }

    func folder(_ name: String) { mkdir(path + "/" + name, 0o755) }

    func client(at prefix: String = "/", index: String? = nil) throws -> TestClient {
        let files = try StaticFiles(path, at: prefix, index: index)
        return TestClient(try Application(logger: LogLines().logger) { $0.fallback(files) })
    }

    private func run(_ command: [String]) -> Int32 {
        let arguments = command.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        guard posix_spawnp(&process, command[0], nil, nil, arguments, nil) == 0 else { return -1 }
        return waitpid(process, nil, 0)
    }
}
