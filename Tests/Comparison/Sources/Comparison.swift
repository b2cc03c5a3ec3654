import Glibc

/// Prints how we compare, or runs one side for a profiler.
@main
struct Comparison {
    static func main() throws {
        let contests = try JSONContests.all() + TemplateContests.all()
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.isEmpty else { return try run(Array(arguments), contests) }
        exit(try printTable(contests) ? 0 : 1)
    }

    /// Prints the table; false if a ratio was missed.
    private static func printTable(_ contests: [Contest]) throws -> Bool {
        print("CPU time in microseconds, median of 15 rounds in turn; the ratio is the median of the rounds' ratios.\n")
        print("| contest | bytes | ours | theirs | times faster | asked for |")
        print("| --- | ---: | ---: | ---: | ---: | ---: |")
        var isMet = true
        for contest in contests {
            let result = try contest.measure()
            isMet = isMet && result.ratio >= contest.target
            let ratio = rounded(result.ratio) + (result.ratio >= contest.target ? "" : " MISSED")
            print(
                "| \(contest.name) | \(result.bytes) | \(rounded(result.ours)) | \(rounded(result.theirs)) "
                    + "(\(contest.theirs.name)) | \(ratio) | \(rounded(contest.target)) |")
            fflush(nil)
        }
        return isMet
    }

    private static func rounded(_ value: Double) -> String {
        "\((value * 100).rounded() / 100)"
    }

    private static func run(_ arguments: [String], _ contests: [Contest]) throws {
        guard arguments.count == 3, let count = Int(arguments[2]), count > 0,
            let contest = contests.first(where: { $0.name == arguments[0] }),
            ["ours", "theirs"].contains(arguments[1])
        else {
            print("CONTEST (ours|theirs) COUNT, where CONTEST is one of:")
            return contests.forEach { print("  \($0.name)") }
        }
        let side = arguments[1] == "ours" ? contest.ours : contest.theirs
        print("\(side.name): \(try side.run(count)) bytes")
    }
}
