import PatternCore

/// One line of a trace: who called whom, and when.
struct TraceRow: Encodable, Equatable, Sendable {
    let milliseconds: String
    let caller: String
    let role: String
    let function: String

    /// The rows of an interaction with a pattern.
    static func rows(_ calls: [TracedCall], _ chapter: Chapter?) -> [TraceRow] {
        let feature = chapter?.features.first { feature in calls.contains { feature.has($0.role) } }
        return calls.indices.map { index in
            let call = calls[index]
            let earlier = calls[..<index].map(\.role)
            return TraceRow(
                milliseconds: thousandths(call.microseconds),
                caller: feature?.caller(of: call.role, after: earlier) ?? "Browser",
                role: call.role,
                function: call.function
            )
        }
    }

    /// Microseconds as milliseconds with two decimals.
    private static func thousandths(_ microseconds: Int) -> String {
        let hundredths = microseconds / 10
        return "\(hundredths / 100).\(hundredths % 100 / 10)\(hundredths % 10)"
    }
}

extension Feature {
    fileprivate func has(_ role: String) -> Bool { roles.contains { $0.name == role } }
}
