package import PatternCore

/// What one login costs when it runs: `POST …/login` of a known visitor with what signs in, while the service takes no
/// time.
package struct RequestFigures: Sendable {
    package let pattern: Pattern
    /// How often memory is taken, in a release build. The program `Allocations` counts it, and fails if it is more.
    package let allocations: Int
    /// Time of the processor in nanoseconds. `App patterns report` measures it.
    let nanoseconds: Int

    /// Where and when the time was measured.
    static let measured = "on 23 November 2026, with a release build on two shared cores of an x86-64 machine"

    package static let all = [
        RequestFigures(pattern: .mvc, allocations: 24, nanoseconds: 4000),
        RequestFigures(pattern: .mvp, allocations: 28, nanoseconds: 4400),
        RequestFigures(pattern: .mvvm, allocations: 26, nanoseconds: 5100),
        RequestFigures(pattern: .mvvmC, allocations: 39, nanoseconds: 5200),
        RequestFigures(pattern: .viper, allocations: 34, nanoseconds: 5400),
    ]

    static func of(_ pattern: Pattern) -> RequestFigures? { all.first { $0.pattern == pattern } }
}
