public import Roost

/// A job that is added at certain times, once in the cluster, by whichever instance notices first.
///
///     JobSchedule("30 3 * * mon-fri", SendDigest())
///     JobSchedule("@daily", Cleanup())
///
/// The line is one of cron: minute, hour, day of the month, month, weekday, each `*`, a number, a range, a list, or one
/// of these with a step (`*/15`); months and weekdays have English names, too. `@hourly`, `@daily`, `@weekly`,
/// `@monthly` and `@yearly` are short for such lines. Times are those of a time zone that is named, `in: berlin`, or of
/// the program's (`TZ`). Where clocks are put forward, what would be in the hour that is left out comes right after it;
/// what is in the hour that comes twice is done once, unless the hour is `*`. If nothing has run for a while, the times
/// that have passed are made up for once. The job's key, ``Job/unique``, is ignored.
public struct JobSchedule: Sendable {
    let line: String
    /// The name of the type of its job.
    let kind: String
    private let name: String
    private let zone: ZoneInfo?
    private let job: @Sendable () throws -> JobTable.New

    /// Creates a schedule; a line that cannot be read ends the start.
    /// - Parameters:
    ///   - zone: The time zone of its times; nil for the program's.
    ///   - name: Tells it from other schedules; by default, the name of the job's type.
    public init<Kind: Job>(_ line: String, _ job: Kind, in zone: ZoneInfo? = nil, name: String? = nil) {
        self.line = line
        self.zone = zone
        kind = Kind.name
        self.name = name ?? Kind.name
        self.job = { try Jobs.new(job) }
    }

    /// - Throws: `StartError` for a line that cannot be read, or that fits no time, and for a `TZ` that names no time
    ///   zone.
    func check(_ variables: [String: String] = ProcessEnvironment.variables) throws(StartError) -> String {
        if zone == nil { try Self.checkZone(variables) }
        guard try CronLine(line).next(after: TimeSource.systemTime.wholeMilliseconds / 1000) != nil else {
            throw .configuration("The schedule \"\(line)\" fits no time at all.")
        }
        return name
    }

    /// Looks at the program's time zone: the C library takes a name that it does not find for UTC, without a word.
    private static func checkZone(_ variables: [String: String]) throws(StartError) {
        // With another folder, the names are others. Names of UTC are right even without a database.
        guard let setting = variables["TZ"], variables["TZDIR"] == nil else { return }
        let name = setting.hasPrefix(":") ? String(setting.dropFirst()) : setting
        let isUTC = ["", "utc", "gmt", "etc/utc", "etc/gmt"].contains(name.lowercased())
        // Anything else is a path, or has an offset in digits, as "CET-1CEST" does.
        guard !isUTC, !name.hasPrefix("/"), !name.utf8.contains(where: \.isDigit) else { return }
        _ = try ZoneInfo(name, of: "TZ")
    }

    /// Adds the jobs of schedules that are due; returns the time until one is due next, an hour at most.
    /// - Parameter isFirst: Whether the program has just started.
    static func advance(_ schedules: [JobSchedule], _ table: JobTable, isFirst: Bool) async throws -> Duration {
        var next = Duration.hours(1)
        for schedule in schedules { next = min(next, try await schedule.advance(table, isFirst: isFirst)) }
        return next
    }

    /// Adds the job if it is due; returns the time until it is due next.
    private func advance(_ table: JobTable, isFirst: Bool) async throws -> Duration {
        let line = try CronLine(line)
        // With another zone, it is another schedule: it begins anew.
        let text = zone.map { "\(self.line) \($0)" } ?? self.line
        return try await table.advance(name, line: text, job(), isFirst: isFirst) { [zone] now in
            let next = line.next(after: now.wholeMilliseconds / 1000) { CronLine.wall($0, in: zone) }
            return next.map { .seconds($0) } ?? now + .hours(24)
        }
    }
}
