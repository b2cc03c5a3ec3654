import FoundationEssentials
import Roost
import RoostAuth

/// `Templates/account.mustache`
struct AccountPage: Encodable, Sendable {
    struct SessionRow: Encodable, Sendable {
        let device, address: String
        let begun, used: TimeAgo
        /// Whether it is the one that asks.
        let isCurrent: Bool
        let endURL: String
        fileprivate let id: String
    }

    struct EventRow: Encodable, Sendable {
        let what: String
        /// The number of failures in a row, of which this is the last one; nil for one event.
        let count: Int?
        let time: TimeAgo
        /// `Firefox on Linux, 192.0.2.7`
        let place: String?
    }

    let email: String
    let sessions: [SessionRow]
    /// The number of sessions shown where there may be more; nil where all are.
    let limit: Int?
    let events: [EventRow]
    let fields: FieldSet

    static let fields = FieldSet(
        .password("current", "Current password", ["autocomplete": "current-password"]),
        .password("new", "New password", ["autocomplete": "new-password"])
            .hint("At least 8 characters. You will be signed out on all other devices."))

    /// - Parameter now: In seconds since 1970.
    init(
        email: String, sessions: [OwnedSession], current: String?, events: [AuditEvent], now: Int,
        form: InvalidForm? = nil
    ) {
        self.email = email
        // One's own comes first, whichever was used last.
        let sorted = sessions.filter { $0.id == current } + sessions.filter { $0.id != current }
        self.sessions = sorted.map { session in
            SessionRow(
                device: session.device ?? "unknown device", address: session.address ?? "unknown address",
                begun: TimeAgo(session.begun, before: now), used: TimeAgo(session.used, before: now),
                isCurrent: session.id == current,
                endURL: AccountController.end.url(session.id), id: session.id)
        }
        limit = sessions.count < OwnedSession.maximumListed ? nil : sessions.count
        self.events = Self.runs(events).prefix(Self.maximumEvents).map { event, count in
            let place = [event.device, event.address].compactMap { $0 }
            return EventRow(
                what: Self.name(event.kind), count: count > 1 ? count : nil, time: TimeAgo(event.time, now: now),
                place: place.isEmpty ? "Command line" : place.joined(separator: ", "))
        }
        fields = form.map(Self.fields.typed) ?? Self.fields
    }

    /// The most events that are shown.
    static let maximumEvents = 20
    /// The events of which those in a row are shown as one.
    static let failures: Set<AuditEvent.Kind> = [.signInFailed, .signInThrottled]

    /// The events, the newest first, each with the number of failures in a row, so that whoever guesses passwords does
    /// not push everything else off the page.
    private static func runs(_ events: [AuditEvent]) -> [(last: AuditEvent, count: Int)] {
        events.reduce(into: []) { runs, event in
            if failures.contains(event.kind), let newer = runs.last?.last, failures.contains(newer.kind) {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((event, 1))
            }
        }
    }

    /// `sign-in ok` as people say it.
    private static func name(_ kind: AuditEvent.Kind) -> String {
        switch kind {
        case .signedIn: "Signed in"
        case .signInFailed: "Wrong password"
        case .signInThrottled: "Too many wrong passwords"
        default: kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        }
    }

    /// The account as a program gets it.
    var summary: AccountSummary {
        AccountSummary(
            email: email,
            sessions: sessions.map {
                .init(
                    id: $0.id, device: $0.device, address: $0.address, begun: $0.begun.exact, used: $0.used.exact,
                    current: $0.isCurrent)
            },
            hasMoreSessions: limit != nil,
            events: events.map { .init(what: $0.what, count: $0.count, at: $0.time.exact, place: $0.place) }
        )
    }
}

/// The body of the response to `GET /account` for a program.
struct AccountSummary: Encodable, Sendable {
    struct Session: Encodable, Sendable {
        let id, device, address, begun, used: String
        let current: Bool
    }

    struct Event: Encodable, Sendable {
        let what: String
        /// The number of failures in a row; nil for one event.
        let count: Int?
        let at: String
        let place: String?
    }

    let email: String
    let sessions: [Session]
    /// Whether there may be more than these, which were used last.
    let hasMoreSessions: Bool
    let events: [Event]
}

/// `Templates/welcome.mustache`
struct WelcomePage: Encodable, Sendable {
    let signedInAs: String?
}

/// A time as a page shows it: how long ago it was, which needs no time zone, with the exact time beside it.
struct TimeAgo: Encodable, Sendable {
    /// `2026-11-22T16:20:00Z`
    let exact: String
    /// `5 minutes ago`
    let text: String

    /// - Parameters:
    ///   - time: In seconds since 1970.
    ///   - now: In seconds since 1970.
    init(_ time: Int, now: Int) {
        // From a database, it may be any number; this is up to the year 9999.
        let time = max(0, min(time, 253_402_300_799))
        exact = Date(timeIntervalSince1970: Double(time)).formatted(.iso8601)
        let units = [("day", 86_400), ("hour", 3600), ("minute", 60)]
        if let (unit, length) = units.first(where: { now - time >= $1 }) {
            let count = (now - time) / length
            text = "\(count) \(unit)\(count == 1 ? "" : "s") ago"
        } else {
            text = "just now"
        }
    }

    /// A time that was so long before another.
    init(_ age: Duration, before now: Int) { self.init(now - Int(age.components.seconds), now: now) }
}
