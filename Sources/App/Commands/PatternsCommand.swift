import ArgumentParser
import FoundationEssentials
import Glibc
import Patterns

/// `App patterns`: about the gallery.
struct PatternsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "patterns",
        abstract: "Compare the architectures of the gallery.",
        subcommands: [Report.self]
    )

    /// `App patterns report`
    struct Report: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count what the login costs in each architecture, and measure the time that it takes."
        )

        func run() async throws {
            let date = Date().formatted(.iso8601.year().month().day())
            print(try await Patterns.Report.text(date: date, machine: Self.machine))
        }

        /// The processors, and how the program was built, which decides more.
        private static var machine: String {
            #if DEBUG
                let build = "a debug build, whose times mean nothing"
            #else
                let build = "a release build"
            #endif
            return "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores, \(build)"
        }
    }
}
