import Synchronization

/// The transaction whose body a task is running, and the transactions around that.
///
/// A statement that such a task runs on the database itself is not part of the transaction. In SQLite a write would
/// wait for the end of the transaction, which in turn waits for the write. In PostgreSQL it would take a second
/// connection, and wait for the transaction's locks. That is nearly always a mistake, and one that goes unnoticed in
/// development, where there is no load. So it is refused at once, on all engines. A task-local value tells, because it
/// reaches a repository's methods and child tasks.
final class OpenTransaction: Sendable {
    @TaskLocal private static var current: OpenTransaction?

    private let driver: ObjectIdentifier
    private let outer: OpenTransaction?
    /// An unstructured task may outlive the transaction in which it was started.
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

    /// Runs the body of a transaction on the database of a driver.
    static func run<Value>(on driver: any SQLDriver, _ body: () async throws -> Value) async throws -> Value {
        let own = OpenTransaction(driver)
        defer { own.isOver.store(true, ordering: .releasing) }
        return try await $current.withValue(own, operation: body)
    }

    /// - Throws: ``DatabaseError`` when the task is in a transaction on the database of a driver.
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
