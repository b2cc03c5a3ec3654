import Logging

/// The services of an application, after they have started.
package struct RunningServices: Sendable {
    private var started: [any Service] = []
    private let loop: EventLoop

    /// Starts services one after the other on a loop.
    /// - Throws: The first error of a service; those that have started before it are then stopped.
    package init(_ services: [any Service], on loop: EventLoop) async throws {
        self.loop = loop
        for service in services {
            do {
                try await Task(executorPreference: loop) { try await service.start() }.value
            } catch {
                await stop()
                throw error
            }
            started.append(service)
        }
    }

    /// Stops them in reverse order.
    package func stop() async {
        for service in started.reversed() {
            await Task(executorPreference: loop) { await service.stop() }.value
        }
    }
}
