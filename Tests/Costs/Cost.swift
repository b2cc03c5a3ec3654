import HTTPTypes

@testable import Roost

/// One parser, one kind of input, and how many instructions each byte of it may take.
struct Cost {
    let parser: String
    let input: String
    let budget: Int
    /// Makes an input of about this many bytes, and returns the work to measure.
    let prepare: (Int) -> () -> Void

    static var all: [Cost] { heads + fields + forms + multipart + json + members + templates + live + compression }

    /// Results go here, so that the compiler does not remove the work.
    nonisolated(unsafe) static var result = 0
}

extension Cost {
    /// The parts of an input: a beginning, a part that is repeated, and an end.
    struct Input {
        let name: String
        var start = ""
        let unit: String
        var end = ""

        init(_ name: String, _ start: String = "", repeating unit: String, _ end: String = "") {
            (self.name, self.start, self.unit, self.end) = (name, start, unit, end)
        }

        func text(_ size: Int) -> String {
            start + String(repeating: unit, count: size / unit.utf8.count) + end
        }
    }

    /// Measures work on the bytes of each input.
    static func table(
        _ parser: String, budget: Int, _ inputs: [Input], _ body: @escaping (UnsafeBufferPointer<UInt8>) -> Void
    ) -> [Cost] {
        inputs.map { input in
            Cost(parser: parser, input: input.name, budget: budget) { size in
                let bytes = Array(input.text(size).utf8)
                return { bytes.withUnsafeBufferPointer(body) }
            }
        }
    }

    /// Measures work on a request that has these fields.
    static func table(
        _ parser: String, budget: Int, field: String, _ inputs: [Input], _ body: @escaping (Request) -> Void
    ) -> [Cost] {
        inputs.map { input in
            Cost(parser: parser, input: input.name, budget: budget) { size in
                let head = "GET / HTTP/1.1\r\nHost: a\r\n\(field): \(input.text(size))\r\n\r\n"
                let bytes = Array(head.utf8).withUnsafeBufferPointer { MessageBytes(copying: $0) }
                return { if let request = request(in: bytes) { body(request) } }
            }
        }
    }

    /// A request with a whole head. Reading the head is measured too, and costs a few instructions for each byte.
    private static func request(in bytes: MessageBytes) -> Request? {
        var parser = RequestParser()
        var cursor = 0
        return try? parser.next(in: bytes, at: &cursor)?.request(in: bytes, body: Body())
    }
}
