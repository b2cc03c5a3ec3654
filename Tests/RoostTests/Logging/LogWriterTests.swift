import CLibevent
import Glibc
import Logging
import Testing

@testable import Roost

@Suite("The log's writer", .timeLimit(.minutes(5)))
struct LogWriterTests {
    /// A pipe whose ends are closed with it.
    private final class Pipe: Sendable {
        let reader, writer: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (reader, writer) = (ends[0], ends[1])
        }

        deinit {
            close(reader)
            close(writer)
        }

        /// The text that has been written.
        var text: String {
            var room = [UInt8](repeating: 0, count: 65_536)
            _ = fcntl(reader, F_SETFL, O_NONBLOCK)
            let size = max(0, read(reader, &room, room.count))
            return String(decoding: room[..<size], as: UTF8.self)
        }

        /// The lines that are there.
        var lines: [String] { text.split(separator: "\n").map(String.init) }

        /// Waits until a number of lines has come.
        func lines(_ count: Int) -> [String] {
            var bytes: [UInt8] = []
            var room = [UInt8](repeating: 0, count: 65_536)
            while bytes.count(where: { $0 == 0x0A }) < count {
                let size = read(reader, &room, room.count)
                guard size > 0 else { break }
                bytes += room[..<size]
            }
            return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    private static func noon() -> timespec { timespec(tv_sec: 43_200, tv_nsec: 5_000_000) }

    private static func logger(_ writer: LogWriter, _ format: LogFormat = .text) -> Logger {
        Logger(label: "app") { RoostLogHandler(label: $0, format: format, writer: writer) }
    }

    @Test func `the thread writes lines in their order`() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writer, clock: Self.noon)
        try writer.start()
        let logger = Self.logger(writer)
        for number in 0..<1_000 { logger.info("\(number)") }
        #expect(pipe.lines(1_000) == (0..<1_000).map { "1970-01-01T12:00:00.005Z info app: \($0)" })
    }

    @Test(arguments: [1024 * 1024, 1000])
    func `a full batch goes out without waiting`(capacity: Int) throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writer, capacity: capacity, gatherTime: -1)
        try writer.start()
        let logger = Self.logger(writer)
        let text = String(repeating: "x", count: min(70_000, capacity))
        // Gathering never times out here, so only a full batch can send them.
        for number in 0..<3 {
            logger.info("\(number)\(text)")
            let line = try #require(pipe.lines(1).first)
            #expect(line.hasSuffix("\(number)\(text)"))
        }
    }

    @Test func `each line says who logs at which level, in its own format`() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writer, clock: Self.noon)
        for label in ["a", "a", "b"] {
            let logger = Logger(label: label) { RoostLogHandler(label: $0, format: .text, writer: writer) }
            logger.info("1")
            logger.warning("2")
        }
        Self.logger(writer, .json).warning("3")
        writer.flush()
        let time = "1970-01-01T12:00:00.005Z"
        let ends = ["info a: 1", "warning a: 2", "info a: 1", "warning a: 2", "info b: 1", "warning b: 2"]
        let json = #"{"time":"\#(time)","level":"warning","label":"app","message":"3"}"#
        #expect(pipe.lines == ends.map { "\(time) \($0)" } + [json])
    }

    @Test func `a line that is longer than a piece is written whole, to a pipe and to a file`() throws {
        let (pipe, file) = (try Pipe(), try #require(tmpfile()))
        defer { fclose(file) }
        let text = String(repeating: "x", count: 70_000)
        for descriptor in [pipe.writer, fileno(file)] {
            let writer = LogWriter(descriptor, clock: Self.noon)
            Self.logger(writer).info("\(descriptor == pipe.writer ? text.prefix(30_000) : text[...])")
            writer.flush()
        }
        #expect(pipe.lines == ["1970-01-01T12:00:00.005Z info app: \(text.prefix(30_000))"])
        var room = [UInt8](repeating: 0, count: 100_000)
        let size = pread(fileno(file), &room, room.count, 0)
        let line = "1970-01-01T12:00:00.005Z info app: \(text)\n"
        #expect(room.prefix(max(0, size)).elementsEqual(line.utf8))
    }

    @Test func `what nobody reads is dropped beyond the capacity, and counted`() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writer, capacity: 200, clock: Self.noon)
        let logger = Self.logger(writer)
        for number in 10..<20 { logger.info("\(number)") }
        writer.flush()
        let begin = "1970-01-01T12:00:00.005Z"
        // Each line has 38 bytes, so the sixth passes the capacity, and is the last.
        let lines = pipe.lines
        #expect(lines.dropLast() == (10...15).map { "\(begin) info app: \($0)" })
        let last = "\(begin) warning roost: Lines of the log that could not be written, and were dropped: 4"
        #expect(lines.last == last)
        let counts = [writer.takeDroppedCount(), writer.takeDroppedCount()]
        #expect(counts == [4, 0])
        logger.info("20")
        writer.flush()
        #expect(pipe.lines == ["\(begin) info app: 20"])
    }

    @Test func `what cannot be written is counted`() throws {
        let pipe = try Pipe()
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let writer = LogWriter(descriptor, clock: Self.noon)
        let logger = Self.logger(writer)
        for count in 1...3 {
            for number in 0..<count { logger.info("\(number)") }
            writer.flush()
            #expect(writer.takeDroppedCount() == count)
        }
        dup2(pipe.writer, descriptor)
        logger.info("there is room again")
        writer.flush()
        let lines = pipe.lines
        #expect(lines.count == 2 && lines[0].hasSuffix("there is room again"), "\(lines)")
        #expect(lines.last?.hasSuffix("could not be written, and were dropped: 6") == true)
    }

    @Test func `a flush gives up when nobody reads, and the next one begins a line of its own`() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writer, clock: Self.noon)
        for _ in 0..<10 { Self.logger(writer).info("\(String(repeating: "x", count: 10_000))") }
        writer.flush()
        // The pipe takes 64 KiB: six lines, and a part of the next.
        #expect(pipe.lines.count == 7 && writer.takeDroppedCount() == 4)
        Self.logger(writer).info("read again")
        writer.flush()
        #expect(pipe.text.hasPrefix("\n1970-01-01T12:00:00.005Z info app: read again\n"))
    }

    @Test func `a reader that is gone costs nothing but its lines`() throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        shutdown(ends[0], Int32(SHUT_RD))
        let writer = LogWriter(ends[1])
        Self.logger(writer).info("lost")
        writer.flush()
        #expect(writer.takeDroppedCount() == 1)
    }

    @Test func `an event's metadata and error are told`() throws {
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writer, clock: Self.noon)
        var logger = Self.logger(writer, .json)
        logger[metadataKey: "job"] = "cleanup"
        logger.warning("Late", metadata: ["by": "\(3)", "job": "other"])
        logger.debug("not at this level")
        writer.flush()
        #expect(
            pipe.lines == [
                #"{"time":"1970-01-01T12:00:00.005Z","level":"warning","label":"app","message":"Late","#
                    + #""metadata":{"by":"3","job":"other"}}"#
            ])
    }

    @Test func `a message whose description logs does not wait for itself`() throws {
        struct Chatty: CustomStringConvertible {
            let logger: Logger
            var description: String {
                logger.info("inner")
                return "outer"
            }
        }
        let pipe = try Pipe()
        let writer = LogWriter(pipe.writer, clock: Self.noon)
        let logger = Self.logger(writer)
        logger.info("\(Chatty(logger: logger))", metadata: ["by": .stringConvertible(Chatty(logger: logger))])
        writer.flush()
        #expect(pipe.lines.last?.hasSuffix("app: outer by=outer") == true)
    }
}
