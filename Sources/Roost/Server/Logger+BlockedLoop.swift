import Logging

extension Logger {
    /// Logs that an event loop is blocked, and by which route.
    func blockedLoop(_ loop: Int, _ routes: [String]) {
        let culprit =
            switch routes.count {
            case 0: ""
            case 1: " by \(routes[0])"
            default: " by one of \(routes.joined(separator: ", "))"
            }
        error("Event loop \(loop) is blocked\(culprit), and serves nobody else: move the work into `offload { }`.")
    }
}
