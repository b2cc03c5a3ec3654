import Glibc
import RoostTesting

/// Many clients that follow an event stream as browsers do: one that loses its connection comes back, to another
/// instance if its own is gone, with the id of the last event that it has seen.
///
/// All of them are on the thread that calls ``run(until:)``.
final class EventReaders {
    /// One client.
    struct Reader {
        fileprivate var stream = EventStreamReader()
        fileprivate var head: [UInt8]? = []
        fileprivate var instance: Int
        /// The events of its earlier connections.
        fileprivate var before: [EventStreamReader.Event] = []
        fileprivate(set) var reconnections = 0

        /// All events that it has seen.
        var events: [EventStreamReader.Event] { before + stream.events }
        var lastEvent: EventStreamReader.Event? { stream.events.last ?? before.last }
        /// Whether it knows where it is, so that it can come back.
        var hasPlace: Bool { !stream.lastID.isEmpty }
    }

    private(set) var readers: [Reader] = []
    private var entries: [pollfd] = []
    private let ports: [Int]
    private let path: String
    private var space = [UInt8](repeating: 0, count: 64 * 1024)

    init(_ count: Int, of path: String, at ports: [Int]) {
        self.ports = ports
        self.path = path
        for index in 0..<count {
            readers.append(Reader(instance: index % ports.count))
            entries.append(pollfd(fd: -1, events: Int16(POLLIN), revents: 0))
            connect(index)
        }
    }

    deinit {
        for entry in entries where entry.fd >= 0 { close(entry.fd) }
    }

    /// Reads until a condition holds.
    /// - Throws: `CancellationError` when the test's time limit passes.
    func run(until isDone: ([Reader]) -> Bool) throws {
        while !isDone(readers) {
            try BlockingThread.checkCancellation()
            guard poll(&entries, nfds_t(entries.count), 20) > 0 else { continue }
            for index in entries.indices where entries[index].revents != 0 { read(index) }
        }
    }

    /// Connects to the next instance that accepts, and asks for the stream in HTTP/1.0, which has no chunks.
    private func connect(_ index: Int) {
        let lastID = readers[index].stream.lastID
        let field = lastID.isEmpty ? "" : "Last-Event-ID: \(lastID)\r\n"
        let request = "GET \(path) HTTP/1.0\r\nAccept: text/event-stream\r\n\(field)\r\n"
        for attempt in 0..<ports.count {
            readers[index].instance = (readers[index].instance + min(attempt, 1)) % ports.count
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(ports[readers[index].instance]).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if code == 0, send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count {
                entries[index].fd = descriptor
                return
            }
            close(descriptor)
        }
    }

    private func read(_ index: Int) {
        let count = recv(entries[index].fd, &space, space.count, Int32(MSG_DONTWAIT))
        guard count > 0 else {
            if count < 0, errno == EAGAIN { return }
            close(entries[index].fd)
            entries[index].fd = -1
            return reconnect(index)
        }
        var bytes = space[..<count]
        if let head = readers[index].head {
            let all = head + bytes
            guard let end = all.firstRange(of: Array("\r\n\r\n".utf8)) else {
                readers[index].head = all
                return
            }
            readers[index].head = nil
            bytes = all[end.upperBound...]
        }
        readers[index].stream.read(Array(bytes))
    }

    private func reconnect(_ index: Int) {
        let stream = readers[index].stream
        readers[index].before += stream.events
        readers[index].stream = EventStreamReader(after: stream.lastID)
        readers[index].head = []
        readers[index].reconnections += 1
        connect(index)
    }
}
