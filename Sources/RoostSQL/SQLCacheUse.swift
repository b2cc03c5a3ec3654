/// How often a cache of a database engine had what was looked for.
public struct SQLCacheUse: Sendable, Equatable {
    /// What it keeps, such as `pages`, for the label `cache` of the metrics.
    public let name: String
    /// How often it was there, since the start.
    public let hits: Int
    /// How often it was not.
    public let misses: Int

    /// What a driver has counted.
    public init(name: String, hits: Int, misses: Int) {
        (self.name, self.hits, self.misses) = (name, hits, misses)
    }
}
