import Glibc

/// A system call that failed.
package struct SystemError: Error, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    /// The system's text for an error number.
    package static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    package var description: String { "\(call): \(Self.text(code))" }
}
