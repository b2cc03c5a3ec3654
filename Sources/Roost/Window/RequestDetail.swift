/// A request with its timeline, as its page shows it.
struct RequestDetail: Encodable {
    let route: String
    let status: String
    let type: String
    let time: String
    let id: String?
    let notices: [String]
    let steps: [Step]
    let dropped: Int?

    /// A step of the timeline.
    struct Step: Encodable {
        let kind: String
        let text: String
        let start: String
        let time: String?
        let rows: String?
        let error: String?
        let hasDetails: Bool
        let details: [String]
        let hasPlan: Bool
        let plan: [String]
    }

    init(_ one: RecordedRequest) async {
        route = one.route ?? "none"
        status = one.status.map { "\($0)" } ?? "none: an error"
        type = (one.type ?? "no content") + (one.size.map { ", \($0) bytes" } ?? "")
        time = one.duration.milliseconds
        id = one.id
        dropped = one.dropped > 0 ? one.dropped : nil
        notices =
            one.repeated.map {
                let first = $0.text.drop { !$0.isLetter }.prefix { $0.isLetter }.lowercased()
                let advice =
                    ["select", "with"].contains(first) ? " (N + 1). Get all rows with one statement" : ". Can one do it"
                return "A statement ran \($0.count) times\(advice): \($0.text)"
            }
            + one.slowTemplates.map { "The template \($0.text) took \($0.duration.milliseconds) ms." }
        var plans: [String: [String]] = [:]
        // One that waits for a lock would not be the last.
        var hasFailed = false
        var steps: [Step] = []
        for (index, entry) in one.entries.enumerated() {
            if let plan = entry.plan, plans[entry.text] == nil, plans.count < 20, !hasFailed {
                do {
                    plans[entry.text] = try await plan()
                } catch {
                    plans[entry.text] = ["\(error)"]
                    hasFailed = true
                }
            }
            let plan = entry.kind == .statement ? plans[entry.text] ?? [] : []
            let isNote = entry.kind == .log || entry.kind == .job || entry.kind == .mail
            steps.append(
                Step(
                    kind: entry.kind.rawValue, text: entry.text, start: entry.start.milliseconds,
                    time: isNote ? nil : one.ownTime(of: index).milliseconds,
                    rows: entry.rows.map { $0 == 1 ? "1 row" : "\($0) rows" }, error: entry.error,
                    hasDetails: !entry.details.isEmpty, details: entry.details, hasPlan: !plan.isEmpty, plan: plan))
        }
        self.steps = steps
    }
}
