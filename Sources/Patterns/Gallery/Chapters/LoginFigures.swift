package import PatternCore

/// The cost of the login in one pattern: to read, counted in its files without the entry, and to run.
package struct LoginFigures: Sendable {
    package let pattern: Pattern
    let files: Int
    /// Lines of code: without blank lines and comments.
    let lines: Int
    let protocols: Int
    /// The files that a test can have without a request.
    let filesWithoutHTTP: Int
    /// The number of allocations for one login, in a release build: `POST …/login` of a known visitor, while the
    /// service takes no time. The program `Allocations` counts it, and fails if it is more.
    package let allocations: Int
    /// The time of the processor for it in µs. The program `Allocations` prints it.
    let microseconds: Double

    /// The date and the machine of the measurement.
    static let measured = "on 24 November 2026, with a release build on two shared cores of an x86-64 machine"

    package static let all = [
        LoginFigures(.mvc, allocations: 25, microseconds: 4.3), LoginFigures(.mvp, allocations: 30, microseconds: 5.4),
        LoginFigures(.mvvm, allocations: 30, microseconds: 6.5),
        LoginFigures(.mvvmC, allocations: 38, microseconds: 5.1),
        LoginFigures(.viper, allocations: 33, microseconds: 5.7),
    ]

    private init(_ pattern: Pattern, allocations: Int, microseconds: Double) {
        let sources = Chapter.of(pattern).login?.sources.map(\.file) ?? []
        self.pattern = pattern
        files = sources.count
        lines = sources.reduce(0) { $0 + $1.lineCount }
        protocols = sources.reduce(0) { $0 + $1.protocolCount }
        filesWithoutHTTP = sources.count(where: \.isWithoutHTTP)
        self.allocations = allocations
        self.microseconds = microseconds
    }

    /// The figures as the columns of a table.
    var columns: [String] {
        [
            "\(files)", "\(lines)", "\(protocols)", "\(filesWithoutHTTP) of \(files)", "\(allocations)",
            "\(microseconds)",
        ]
    }
}
