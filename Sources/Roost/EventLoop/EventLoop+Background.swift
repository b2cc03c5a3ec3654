extension EventLoop {
    /// A loop that belongs to no server, for callers without one, such as commands; its thread starts with the first
    /// use and never ends.
    package static let background: Result<EventLoop, SystemError> = {
        do throws(SystemError) {
            let loop = try EventLoop()
            try LoopThread(name: "roost-background") { loop.run() }.detach()
            return .success(loop)
        } catch {
            return .failure(error)
        }
    }()
}
