/// Limits on one rendering, which stops with a ``TemplateError`` when it exceeds one.
///
/// The defaults are far above what a page needs and far below what hurts a server.
public struct TemplateLimits: Sendable {
    /// The greatest depth of nested tags in one file, and the most contexts that may be open while rendering: the page,
    /// and one for each open section. From 1 to 10,000.
    public var nesting = 200
    /// The most partials, parents and replaced blocks that may be open inside each other while rendering.
    public var partials = 64
    /// The most lambdas that may render inside each other, from 1 to 100.
    public var lambdas = 16
    /// The most bytes that one rendering may write, and that all texts of its page may have; at most 4 GiB.
    public var output = 16 << 20
    /// The most instructions that one rendering may execute. A text that a lambda renders counts those of all templates
    /// too.
    public var steps = 20_000_000
    /// The most values (objects, lists, fields and elements) that one page may have, at most 2³¹. That is checked when
    /// the memory for them doubles, first at 256 values, so up to twice as many may pass.
    public var values = 2_000_000
    /// The greatest depth to which the page's values may contain each other, from 1 to 1000.
    public var depth = 200

    /// The default limits.
    public init() {}

    /// These limits, cut to what can be counted and to what the thread's stack allows.
    var bounded: TemplateLimits {
        var limits = self
        limits.nesting = min(max(nesting, 1), 10_000)
        limits.depth = min(max(depth, 1), 1000)
        limits.lambdas = min(max(lambdas, 1), 100)
        limits.output = min(max(output, 0), 1 << 32)
        limits.values = min(max(values, 0), 1 << 31)
        return limits
    }
}
