extension Request {
    /// The key under which a request carries its table.
    enum MessageTableKey: RequestKey { typealias Value = MessageTable }

    /// The messages for the client, in the language that ``Languages`` has chosen; English without that middleware.
    /// Middleware of an application may set another, such as that of the visitor's account. Moments are shown in the
    /// request's ``timeZone``.
    public var messages: MessageTable {
        get {
            let table = self[MessageTableKey.self] ?? .english
            return self[RequestZone.self].map { table.in($0.zone) } ?? table
        }
        set { self[MessageTableKey.self] = newValue }
    }

    /// The time zone of the client, which ``TimeZones`` has found; UTC without that middleware. Middleware of an
    /// application may set another, such as that of the visitor's account.
    public var timeZone: ZoneInfo {
        get { self[RequestZone.self]?.zone ?? self[MessageTableKey.self]?.timeZone ?? .utc }
        set { self[RequestZone.self] = RequestZone(newValue, time: time) }
    }

    /// The present day in the client's ``timeZone``, by the clock of the application whose middleware ``TimeZones`` is.
    /// Without that middleware, it is the day in UTC.
    public var today: LocalDate { timeZone.localTime(at: time.now).date }

    private var time: TimeSource { self[RequestZone.self]?.time ?? .current }
}

/// The time zone that a request carries, and the clock of its application: an object, which many requests can share.
final class RequestZone: RequestKey, Sendable {
    typealias Value = RequestZone

    let zone: ZoneInfo
    let time: TimeSource

    init(_ zone: ZoneInfo, time: TimeSource) { (self.zone, self.time) = (zone, time) }
}

extension HTTPError {
    /// The error in the language of a table, as far as that has its texts.
    func translated(by table: MessageTable) -> HTTPError {
        var error = self
        error.message = sentence.map { table.text($0) }
        error.parts = parts.map { part in
            var part = part
            part.message = table.text(part.sentence)
            return part
        }
        return error
    }
}
