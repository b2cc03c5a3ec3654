import Glibc
import Processes
import RoostTesting

/// A terminal at which a test types.
final class Terminal: Sendable {
    private let keyboard: Int32
    private let screen: Int32
    /// The path at which programs open it.
    let path: String

    init() throws {
        var (keyboard, screen): (Int32, Int32) = (-1, -1)
        var path = [CChar](repeating: 0, count: 64)
        guard openpty(&keyboard, &screen, &path, nil, nil) == 0 else {
            throw ProcessError(code: "openpty failed", message: String(cString: strerror(errno)))
        }
        for end in [keyboard, screen] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (self.keyboard, self.screen) = (keyboard, screen)
        self.path = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { for end in [keyboard, screen] { close(end) } }

    func press(_ text: String) { write(keyboard, text, text.utf8.count) }

    /// Whether it shows what is typed.
    var showsTyping: Bool {
        var settings = termios()
        tcgetattr(screen, &settings)
        return settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Returns once it shows a text.
    func wait(for text: String) async throws {
        try await BlockingThread.run { [self] in
            var shown = ""
            while !shown.contains(text) {
                var entry = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
                while poll(&entry, 1, 100) <= 0 { try BlockingThread.checkCancellation() }
                var bytes = [UInt8](repeating: 0, count: 1024)
                let count = read(keyboard, &bytes, bytes.count)
                guard count > 0 else { throw ProcessError(code: "the terminal is gone", message: shown) }
                shown += String(decoding: bytes.prefix(count), as: UTF8.self)
            }
        }
    }
}
