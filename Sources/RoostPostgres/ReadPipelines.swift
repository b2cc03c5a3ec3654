import Roost
import RoostSQL
import Synchronization

/// The pipelines of a driver, one for each event loop that reads.
final class ReadPipelines: Sendable {
    private let pool: ConnectionPool<PostgresConnection>
    private let canceller: Canceller
    private let configuration: PostgresConfiguration
    /// A list, because there are few. Each keeps its loop, so that no other loop can be taken for it.
    private let pipelines = Mutex<[ReadPipeline]>([])

    /// The most loops that have a pipeline; others run each statement on a connection of its own.
    private static let maximumCount = 256

    init(_ pool: ConnectionPool<PostgresConnection>, _ canceller: Canceller, _ configuration: PostgresConfiguration) {
        self.pool = pool
        self.canceller = canceller
        self.configuration = configuration
    }

    /// A statement as a read that can share a connection with others, and where; nil if it must have one to itself.
    func read(
        _ statement: SQLStatement, _ each: @escaping @Sendable (any SQLRow) throws -> Bool
    ) throws -> (PipelinedRead, ReadPipeline)? {
        guard !configuration.isPooled, configuration.statementCacheCapacity > 0, let pipeline = current else {
            return nil
        }
        return try pipeline.makeRead(statement, each).map { ($0, pipeline) }
    }

    /// The pipeline of the loop that the caller is on.
    private var current: ReadPipeline? {
        guard let loop = EventLoop.current else { return nil }
        return pipelines.withLock { pipelines in
            for known in pipelines where known.loop === loop { return known }
            guard pipelines.count < Self.maximumCount else { return nil }
            let pipeline = ReadPipeline(loop, pool, canceller, configuration)
            pipelines.append(pipeline)
            return pipeline
        }
    }

    /// Forgets the pipelines; their loops may be about to end.
    func removeAll() { pipelines.withLock { $0 = [] } }
}
