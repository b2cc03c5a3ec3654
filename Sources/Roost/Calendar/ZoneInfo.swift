public import FoundationEssentials
import Synchronization

/// A time zone of the system's database (`tzdata`, RFC 9636), by its name: `Europe/Berlin`.
///
/// It converts what people type and read, a ``LocalDateTime``, to the moments that a program stores, and back:
///
///     let berlin = ZoneInfo("Europe/Berlin")
///     let start = berlin.date(of: input.start)          // 2026-07-01T09:30 is 07:30 in UTC
///     let shown = berlin.localTime(at: booking.start)
///
/// Foundation's own time zones need ICU, which would make each program 45 MB larger.
public struct ZoneInfo: Sendable {
    /// The name in the database.
    public let name: String
    private let file: ZoneFile

    /// UTC, which needs no database.
    public static let utc = ZoneInfo(name: "UTC", file: .utc)

    private init(name: String, file: ZoneFile) {
        self.name = name
        self.file = file
    }

    /// Finds a time zone; nil for a name that the database does not have. Any text is safe to look up, even one that a
    /// client has sent. Each file is read once.
    public init?(_ name: String) {
        let file = Self.known.withLock { $0[ExactText(name)] } ?? Self.read(name)
        guard let file else { return nil }
        self.init(name: name, file: file)
    }

    /// The time zone that `TIME_ZONE` names; UTC when that is not set.
    /// - Throws: ``StartError/configuration(_:)`` for a name that the database does not have.
    public init(environment variables: [String: String]) throws(StartError) {
        guard let name = variables["TIME_ZONE"], !name.isEmpty else {
            self = .utc
            return
        }
        try self.init(name, of: "TIME_ZONE")
    }

    /// Finds the time zone that a setting names.
    /// - Parameter setting: The environment variable.
    /// - Throws: ``StartError/configuration(_:)`` for a name that the database does not have.
    package init(_ name: String, of setting: String) throws(StartError) {
        guard let zone = ZoneInfo(name) else {
            throw .configuration(
                "\(setting) is \"\(LogText.escaped(name))\", and \(Self.folder) has no such time zone: set it to a "
                    + "name like Europe/Berlin, and install the package tzdata (for old names such as Asia/Calcutta "
                    + "also tzdata-legacy, if there is one).")
        }
        self = zone
    }

    /// The names of the time zones of all countries, in alphabetical order, for people to choose one; UTC alone where
    /// the database is missing. Each call reads the database's list (`zone.tab`).
    public static var names: [String] {
        let table = FileManager.default.contents(atPath: folder + "/zone.tab") ?? Data()
        let lines = table.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
        let names = lines.compactMap { line -> String? in
            let columns = line.split(separator: UInt8(ascii: "\t"))
            return columns.count < 3 ? nil : String(decoding: columns[2], as: UTF8.self)
        }
        return (names + ["UTC"]).sorted()
    }

    // MARK: The database

    private static let folder = "/usr/share/zoneinfo"
    private static let known = Mutex<[ExactText: ZoneFile]>([ExactText("UTC"): .utc])

    /// Reads a file, which lies in the database's folder whatever the name.
    private static func read(_ name: String) -> ZoneFile? {
        let isName = name.utf8.allSatisfy {
            $0.isLetterOrDigit || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: "+")
        }
        // One spelling for each file: `Europe//Berlin` is another name.
        let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard isName, name.utf8.count <= 64, parts.allSatisfy({ !$0.isEmpty }),
            let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)"), let file = ZoneFile(Array(bytes))
        else { return nil }
        known.withLock { $0[ExactText(name)] = file }
        return file
    }

    // MARK: Times

    /// Returns the offset of local time from UTC at a moment, in seconds; it is positive east of Greenwich.
    public func secondsFromUTC(at date: Date) -> Int { file.offset(at: Self.seconds(date)).seconds }

    /// Returns the abbreviation of local time at a moment, such as `CEST`.
    public func abbreviation(at date: Date) -> String { file.offset(at: Self.seconds(date)).name }

    /// Returns the day and time that people see at a moment; the nearest possible one outside the years 1 to 9999.
    public func localTime(at date: Date) -> LocalDateTime {
        let time = Self.seconds(date)
        return LocalDateTime(seconds: (time + file.offset(at: time).seconds).clamped(to: LocalDateTime.possible))
    }

    /// Returns the moment at which people see a day and time; the nearest possible one outside the years 1 to 9999 of
    /// UTC, in which databases keep moments.
    ///
    /// Where clocks are put back and show it twice, the first moment is returned. Where they are put forward and skip
    /// it, the time is counted on from before the change: 02:30 becomes 03:30 where 02:00 is followed by 03:00 (RFC
    /// 5545 §3.3.5). ``dates(of:)`` tells these cases apart.
    public func date(of local: LocalDateTime) -> Date {
        if let first = dates(of: local).first { return first }
        // The offset before the change.
        return Date(secondsSince1970: local.seconds - file.offset(at: local.seconds - Self.longest).seconds)
    }

    /// Returns all moments at which people see a day and time, in their order: two where clocks are put back, none
    /// where they are put forward or outside the years 1 to 9999 of UTC, and otherwise one.
    public func dates(of local: LocalDateTime) -> [Date] {
        // No clock is further from UTC; between two changes there are always more hours than these.
        let around = [-Self.longest, 0, Self.longest].map { file.offset(at: local.seconds + $0).seconds }
        return Set(around).map { local.seconds - $0 }
            .filter { LocalDateTime.possible.contains($0) && $0 + file.offset(at: $0).seconds == local.seconds }
            .sorted().map(Date.init(secondsSince1970:))
    }

    /// Returns the moment at which a day begins: midnight, or the first moment after it where clocks leave that out;
    /// outside the years 1 to 9999 of UTC, the nearest possible one.
    public func startOfDay(_ day: LocalDate) -> Date {
        let midnight = LocalDateTime(seconds: day.days * 86_400)
        if let first = dates(of: midnight).first { return first }
        // Before the change, clocks show less than midnight, and after it, more.
        var (low, high) = (midnight.seconds - Self.longest, midnight.seconds + Self.longest)
        while low < high {
            let middle = low + (high - low) / 2
            if middle + file.offset(at: middle).seconds < midnight.seconds { low = middle + 1 } else { high = middle }
        }
        return Date(secondsSince1970: low)
    }

    private static let longest = 26 * 3600

    /// The seconds since 1970, of a moment that is not far outside of the years that there are.
    private static func seconds(_ date: Date) -> Int {
        let time = date.timeIntervalSince1970
        guard time.isFinite else {
            return time < 0 ? LocalDateTime.possible.lowerBound : LocalDateTime.possible.upperBound
        }
        let limits = LocalDateTime.possible
        return Int(time.rounded(.down).clamped(to: Double(limits.lowerBound) - 1e6...Double(limits.upperBound) + 1e6))
    }
}

extension ZoneInfo: Hashable, CustomStringConvertible {
    /// Returns whether both have the same name.
    public static func == (one: ZoneInfo, other: ZoneInfo) -> Bool { ExactText(one.name) == ExactText(other.name) }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(name)) }

    /// The name.
    public var description: String { name }
}

extension Date {
    /// The moment, or the nearest one in the years 1 to 9999: a zone can lead out of them by hours.
    fileprivate init(secondsSince1970 seconds: Int) {
        self.init(timeIntervalSince1970: Double(seconds.clamped(to: LocalDateTime.possible)))
    }
}

extension Comparable {
    fileprivate func clamped(to limits: ClosedRange<Self>) -> Self {
        min(max(self, limits.lowerBound), limits.upperBound)
    }
}
