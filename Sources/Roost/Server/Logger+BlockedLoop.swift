import Logging

extension Logger {
    /// Logs that an event loop is blocked, and by which request.
    func blockedLoop(_ loop: Int, _ requests: [String]) {
        let culprit =
            switch requests.count {
            case 0: ""
            case 1: " by \(requests[0])"
            default: " by one of \(requests.joined(separator: ", "))"
            }
        error("Event loop \(loop) is blocked\(culprit), and serves nobody else: move the work into `offload { }`.")
    }
}
