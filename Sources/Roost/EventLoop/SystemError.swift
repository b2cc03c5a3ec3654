import Glibc

/// A system call that failed.
struct SystemError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// What the system says of an error number.
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    var description: String { "\(call): \(Self.text(code))" }
}
