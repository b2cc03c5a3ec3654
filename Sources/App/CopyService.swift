import CoreMetrics
import Roost
import RoostSQL

/// The connections to a copy of the database. The site works without it, so its health is not the site's.
struct CopyService: Service, MetricsReporting {
    let database: Database

    func start() async throws { try await database.start() }

    func stop() async { await database.stop() }

    func reportMetrics(to metrics: any MetricsFactory) { database.reportMetrics(to: metrics) }
}
