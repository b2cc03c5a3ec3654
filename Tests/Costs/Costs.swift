import Glibc

// Counts what every parser costs for n bytes, in instructions, which are the same on a busy machine and on an idle one.
// `scripts/costs` builds this program and runs it under callgrind, which counts the instructions inside
// `roost_measured` and writes a file for each call. Then it runs the program again to evaluate these files.
// With the name of a target of the fuzzer and files, the program replays these instead.

/// The work to measure next.
nonisolated(unsafe) private var work: () -> Void = {}

/// The function that callgrind looks at, by this name.
@c(roost_measured) @inline(never)
public func measured() { work() }

@main
struct Costs {
    /// Each input is made in both sizes, in bytes. The difference is the cost of the next 8 KiB, whatever the beginning
    /// costs.
    static let sizes = (8 * 1024, 16 * 1024)

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if let first = arguments.first {
            exit((arguments.count == 1 ? judge(first) : Corpus.replay(first, arguments.dropFirst())) ? 0 : 1)
        }
        for cost in Cost.all {
            for size in [sizes.0, sizes.1] {
                work = cost.prepare(size)
                work()  // Once outside: what is made only once is no part of it.
                measured()
            }
        }
    }

    /// Prints a table of the counts in a folder. False when one exceeds its budget.
    private static func judge(_ folder: String) -> Bool {
        print("| parser | input | instructions a byte, first 8 KiB | next 8 KiB | budget |")
        print("| --- | --- | ---: | ---: | ---: |")
        var isGood = true
        for (index, cost) in Cost.all.enumerated() {
            guard let small = total("\(folder)/counts.\(2 * index + 1)"),
                let large = total("\(folder)/counts.\(2 * index + 2)")
            else {
                print("callgrind has left no count of \(cost.parser), \(cost.input)")
                return false
            }
            let first = Double(small) / Double(sizes.0)
            let next = Double(large - small) / Double(sizes.1 - sizes.0)
            let verdict = verdict(cost, first, next)
            if !verdict.isEmpty { isGood = false }
            let figures = [first, next].map { "\(($0 * 10).rounded() / 10)" }.joined(separator: " | ")
            print("| \(cost.parser) | \(cost.input) | \(figures) | \(cost.budget)\(verdict) |")
        }
        return isGood
    }

    /// If the cost grows with the square, the second half of the input takes three times as much as the first.
    private static func verdict(_ cost: Cost, _ first: Double, _ next: Double) -> String {
        if next > Double(cost.budget) { return " EXCEEDED" }
        return next > first * 1.25 + 5 ? " NOT LINEAR" : ""
    }

    /// The number after `totals:` in a file of callgrind.
    private static func total(_ path: String) -> Int? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getline(&line, &capacity, file) > 0 {
            guard let line else { return nil }
            let words = String(cString: line).split { $0 == " " || $0 == "\n" }
            if words.first == "totals:", words.count == 2 { return Int(words[1]) }
        }
        return nil
    }
}
