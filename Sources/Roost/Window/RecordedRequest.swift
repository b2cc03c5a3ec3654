import HTTPTypes

/// A request that has been responded to, as the window keeps it: without its body, and without fields that may be
/// secret.
struct RecordedRequest: Sendable {
    /// The time from which a template is pointed out.
    static let slowTemplate = Duration.milliseconds(20)

    let number: Int
    let method: String
    let path: String
    let route: String?
    let status: Int?
    let type: String?
    let size: Int?
    let id: String?
    let duration: Duration
    let entries: [TimelineEntry]
    let dropped: Int

    init(_ request: Request, _ response: Response?, _ timeline: RequestTimeline) {
        number = timeline.number
        method = request.method.rawValue
        path = String(request.path.prefix(500))
        route = request.route
        status = response?.status.code
        type = response?.headers[.contentType]
        size = response?.body.count
        id = response?.headers[.requestID]
        duration = timeline.elapsed
        entries = timeline.entries.sorted { $0.start < $1.start }
        dropped = timeline.dropped
    }

    /// The statements that ran several times, the most frequent first: often, one for each row of another (N + 1).
    var repeated: [(text: String, count: Int)] {
        var counts: [String: Int] = [:]
        for entry in entries where entry.kind == .statement { counts[entry.text, default: 0] += 1 }
        return counts.filter { $0.value > 2 }.map { (text: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
    }

    /// The templates that took long.
    var slowTemplates: [TimelineEntry] {
        entries.filter { $0.kind == .template && $0.duration >= Self.slowTemplate }
    }

    /// The time of a step; of a middleware, without the next one inside it.
    func ownTime(of index: Int) -> Duration {
        let entry = entries[index]
        guard entry.kind == .middleware else { return entry.duration }
        let inner = entries[(index + 1)...].first { $0.kind == .middleware || $0.kind == .handler }
        return max(.zero, entry.duration - (inner?.duration ?? .zero))
    }

    func count(_ kind: StepKind) -> Int { entries.count { $0.kind == kind } }

    func time(_ kind: StepKind) -> Duration {
        entries.reduce(.zero) { $1.kind == kind ? $0 + $1.duration : $0 }
    }

    /// The value of the field `Server-Timing`.
    var serverTiming: String {
        var metrics: [String] = []
        if count(.handler) > 0 {
            metrics.append("middleware;dur=\((duration - time(.handler)).milliseconds)")
            metrics.append("handler;dur=\(time(.handler).milliseconds)")
        }
        for (kind, name, thing) in [
            (StepKind.statement, "sql", "statement"), (.template, "template", "template"),
            (.outgoing, "http", "request"),
        ] {
            let count = count(kind)
            guard count > 0 else { continue }
            metrics.append(
                "\(name);desc=\"\(count) \(thing)\(count == 1 ? "" : "s")\";dur=\(time(kind).milliseconds)")
        }
        return (metrics + ["total;dur=\(duration.milliseconds)"]).joined(separator: ", ")
    }
}

extension Duration {
    /// Milliseconds with two digits behind the point.
    var milliseconds: String {
        let hundredths = max(0, self / .microseconds(10)).rounded()
        let whole = Int(min(hundredths, 1e12))
        let rest = whole % 100
        return "\(whole / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
