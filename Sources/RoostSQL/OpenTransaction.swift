import Synchronization

/// The transaction whose body a task runs, and those around it.
///
/// What a task does in there with the database itself is no part of the transaction. In SQLite a write would wait for
/// the transaction's end, which waits for it; in PostgreSQL it would take a second connection, and wait for the
/// transaction's locks. Most often it is a mistake, and in development, with no load and short waits, one that nobody
/// sees. So it is refused at once, on all engines. A task-local value tells, since it comes along into a repository's
/// method and into child tasks.
final class OpenTransaction: Sendable {
    @TaskLocal private static var current: OpenTransaction?

    private let driver: ObjectIdentifier
    private let outer: OpenTransaction?
    /// An unstructured task may outlive the transaction that it was begun in.
    private let isOver = Atomic(false)

    private init(_ driver: any SQLDriver) {
        self.driver = ObjectIdentifier(driver)
        outer = Self.innermost
    }

    private static var innermost: OpenTransaction? {
        var open = current
        while let next = open, next.isOver.load(ordering: .acquiring) { open = next.outer }
        return open
    }

    /// Runs the body of a transaction on a driver's database.
    static func run<Value>(on driver: any SQLDriver, _ body: () async throws -> Value) async throws -> Value {
        let own = OpenTransaction(driver)
        defer { own.isOver.store(true, ordering: .releasing) }
        return try await $current.withValue(own, operation: body)
    }

    /// - Throws: ``DatabaseError`` when the task is in a transaction on a driver's database.
    static func refuse(_ driver: any SQLDriver) throws(DatabaseError) {
        var open = innermost
        while let next = open {
            if next.driver == ObjectIdentifier(driver), !next.isOver.load(ordering: .acquiring) {
                throw .besideTransaction
            }
            open = next.outer
        }
    }
}
