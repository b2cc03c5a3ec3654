import Glibc

/// Two ways of doing the same work, measured against each other.
struct Contest {
    let name: String
    /// The factor by which the first one must be faster.
    let target: Double
    let ours: Side
    let theirs: Side

    struct Side {
        let name: String
        /// Does the work `count` times, and returns the number of bytes of the last result.
        let run: (_ count: Int) throws -> Int
    }

    struct Result {
        /// CPU time of one run, in microseconds.
        let ours: Double
        let theirs: Double
        /// The median of the rounds' ratios.
        let ratio: Double
        let bytes: Int
    }

    private static let rounds = 15
    /// The CPU time of one side in a round, in microseconds.
    private static let slice = 20_000.0

    /// Measures both sides in turn, so that anything that slows the machine down affects both.
    func measure() throws -> Result {
        let (ourCount, theirCount) = (try count(ours), try count(theirs))
        var rounds: [(ours: Double, theirs: Double)] = []
        for _ in 0..<Self.rounds {
            rounds.append((try time(ours, ourCount), try time(theirs, theirCount)))
        }
        return Result(
            ours: Self.median(rounds.map(\.ours)), theirs: Self.median(rounds.map(\.theirs)),
            ratio: Self.median(rounds.map { $0.theirs / $0.ours }), bytes: try ours.run(1))
    }

    /// Returns the number of runs that fit into a slice.
    private func count(_ side: Side) throws -> Int {
        var count = 1
        while true {
            let taken = try time(side, count) * Double(count)
            if taken >= Self.slice { return count }
            count = taken < Self.slice / 10 ? count * 4 : Int(Double(count) * Self.slice / taken * 1.1) + 1
        }
    }

    private func time(_ side: Side, _ count: Int) throws -> Double {
        let start = Self.now()
        _ = try side.run(count)
        return (Self.now() - start) / Double(count)
    }

    /// CPU time of this process, in microseconds.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
