public import Roost
import RoostSQL

/// A job that is added at certain times, once in the cluster, by whichever instance notices first.
///
///     JobSchedule("30 3 * * mon-fri", SendDigest())
///     JobSchedule("@daily", Cleanup())
///
/// The line is a cron expression: minute, hour, day of the month, month, weekday, each `*`, a number, a range, a list,
/// or one of these with a step (`*/15`); months and weekdays have English names, too. `@hourly`, `@daily`, `@weekly`,
/// `@monthly` and `@yearly` are short for such lines. Times are in the given time zone (`in: berlin`) or the program's
/// (`TZ`). When clocks go forward, the jobs of the skipped hour are added right after it; when they go back, those of
/// the repeated hour are added once, unless the hour is `*`. If no instance has run for a while, all missed times are
/// made up for by one job. The job's key, ``Job/unique``, is ignored.
public struct JobSchedule: Sendable {
    let line: String
    /// The name of the type of its job.
    let kind: String
    private let name: String
    private let zone: ZoneInfo?
    private let job: @Sendable () throws -> JobTable.New

    /// Creates a schedule; with an invalid line, the program does not start.
    /// - Parameters:
    ///   - zone: The time zone of its times; nil for the program's.
    ///   - name: The name that tells it from other schedules; by default, that of the job's type.
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
    /// - Parameter last: The time of the last look; nil after the start. What was written then is looked at again once
    ///   that time lies ahead: the clock has been put back.
    /// - Returns: Also the time of this look.
    /// - Throws: The first error of a schedule, after all have had their turn; at once if the database is unavailable.
    static func advance(
        _ schedules: [JobSchedule], _ table: JobTable, after last: Duration?, _ logger: Logger
    ) async throws -> (next: Duration, now: Duration?) {
        guard !schedules.isEmpty else { return (.hours(1), nil) }
        let now = try await table.now()
        let isFirst = last.map { now < $0 } ?? true
        var (next, failure) = (Duration.hours(1), nil as (any Error)?)
        for schedule in schedules {
            do {
                next = min(next, try await schedule.advance(table, isFirst: isFirst))
            } catch DatabaseError.column(_, let reason) {
                logger.warning(
                    """
                    The row \(schedule.name) of job_schedules is deleted, and the schedule begins anew: its time or \
                    its line cannot be read: \(reason)
                    """)
                do { try await table.forget(schedule: schedule.name) } catch { failure = failure ?? error }
                next = min(next, .seconds(1))
            } catch {
                // Those behind it would wait for the database as long.
                guard (error as? DatabaseError)?.isUnavailability != true else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return (next, now)
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
