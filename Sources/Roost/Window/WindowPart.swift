/// A part of a program of which the window of development has a page, such as a service that is a queue of jobs.
package protocol WindowPart: Sendable {
    /// The title of the page, one word.
    var windowTitle: String { get }

    /// The rows of the page, the most important first; at most some hundreds.
    /// - Throws: Any error, which the page shows.
    func windowRows() async throws -> [WindowPartRow]
}

/// A row of such a page.
package struct WindowPartRow: Encodable, Sendable {
    let title, text: String
    let warning: String?

    /// - Parameter warning: The sentence about a fault of it; nil for nothing.
    package init(_ title: String, _ text: String, warning: String? = nil) {
        self.title = title
        self.text = text
        self.warning = warning
    }
}

/// The event loops of the server: their connections, how late they are, and the work that has blocked them.
struct LoopsPart: WindowPart {
    let metrics: PrometheusMetrics
    /// The number of loops.
    let count: Int

    var windowTitle: String { "Loops" }

    func windowRows() -> [WindowPartRow] {
        let connections = metrics.values(of: "roost_connections")
        let lags = metrics.values(of: "roost_event_loop_lag_seconds")
        let blocked = metrics.values(of: "roost_event_loop_blocked_total")
        return (0..<count).map { loop in
            let states = LoopMetrics.State.allCases.compactMap { state in
                let number = Int(connections[[("loop", "\(loop)"), ("state", state.rawValue)]] ?? 0)
                return number > 0 ? "\(number) \(state.rawValue)" : nil
            }
            let lag = Duration.seconds(lags[[("loop", "\(loop)")]] ?? 0)
            let counts = blocked.series.filter { $0.key.hasPrefix("loop=\"\(loop)\",") }.sorted { $0.key < $1.key }
            let warning = counts.map { labels, value in
                "blocked \(value == 1 ? "once" : "\(Int(value)) times"), \(labels.dropFirst("loop=\"\(loop)\",".count))"
            }
            return WindowPartRow(
                "Loop \(loop)",
                "Connections: \(states.isEmpty ? "none" : states.joined(separator: ", ")). "
                    + "The latest second came \(lag.milliseconds) ms late.",
                warning: warning.isEmpty ? nil : warning.joined(separator: "; "))
        }
    }
}

/// The live pages of the application, and their viewers.
struct LivePagesPart: WindowPart {
    let live: LivePages
    /// The patterns of the pages.
    let pages: [String]

    var windowTitle: String { "Live" }

    func windowRows() -> [WindowPartRow] {
        let viewers = live.viewers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return viewers.map { page, count in
            WindowPartRow(page, count == 1 ? "1 browser" : "\(count) browsers")
        } + pages.map { WindowPartRow($0, "a live page") }
    }
}
