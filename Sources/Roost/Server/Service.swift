/// Something that an application needs while it serves: a pool of database connections, a job that runs now and then.
///
///     struct Cleanup: Service { … }
///     let app = try Application(services: [Cleanup()]) { routes in … }
///
/// Both functions run on the server's first event loop (``EventLoop/current``). Services start in their order before
/// the server listens, and stop in the reverse order after the last connection has ended. ``RoostTesting`` runs them
/// too.
public protocol Service: Sendable {
    /// Gets ready, and returns when requests may come.
    /// - Throws: What makes it impossible: the start ends with this error, and what has started is stopped.
    func start() async throws

    /// Lets go of everything, and returns when that is done.
    func stop() async
}
