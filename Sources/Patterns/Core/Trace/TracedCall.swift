/// One call of a ``Trace``.
package struct TracedCall: Equatable, Sendable {
    /// The role that was called, such as `LoginPresenter`.
    package let role: String
    /// Its function, such as `didTapLogin(email:password:)`.
    package let function: String
    /// When it was called, after the interaction began.
    package let microseconds: Int

    package init(role: String, function: String, microseconds: Int) {
        self.role = role
        self.function = function
        self.microseconds = microseconds
    }
}

extension TracedCall {
    /// The calls as a text of one line each, to be kept with a visitor.
    package static func text(_ calls: [TracedCall]) -> String {
        calls.map { "\($0.microseconds) \($0.role) \($0.function)" }.joined(separator: "\n")
    }

    /// The calls of such a text.
    package static func calls(in text: String) -> [TracedCall] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let microseconds = Int(parts[0]) else { return nil }
            return TracedCall(role: String(parts[1]), function: String(parts[2]), microseconds: microseconds)
        }
    }
}
