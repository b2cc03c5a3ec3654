/// The hits and misses of a cache of a database engine.
public struct SQLCacheUse: Sendable, Equatable {
    /// The name of the cache, after its contents, such as `pages`: the label `cache` of the metrics.
    public let name: String
    /// The number of lookups that found what they looked for, since the start.
    public let hits: Int
    /// The number of lookups that did not, since the start.
    public let misses: Int

    /// Creates the counts of a cache from a driver's numbers.
    public init(name: String, hits: Int, misses: Int) {
        (self.name, self.hits, self.misses) = (name, hits, misses)
    }
}
