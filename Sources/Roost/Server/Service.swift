/// Something that an application needs while it serves: a pool of database connections, a job that runs now and then.
///
///     struct Cleanup: Service { … }
///     let app = try Application(services: [Cleanup()]) { routes in … }
///
/// Both functions run on the server's first event loop (``EventLoop/current``). Services start in the order given,
/// before the server listens, and stop in reverse order, after the last connection has ended. ``RoostTesting`` runs
/// them too.
public protocol Service: Sendable {
    /// Gets ready, and returns when requests may come.
    /// - Throws: The reason why it cannot: the program then does not start but ends with this error, and services that
    ///   have started are stopped.
    func start() async throws

    /// Releases everything, and returns when that is done.
    func stop() async
}
