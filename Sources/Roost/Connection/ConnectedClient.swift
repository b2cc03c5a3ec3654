/// The client of one request on a connection.
final class ConnectedClient: RequestClient {
    private let connection: LoopBound<Connection>
    /// Which of the connection's requests it is: it must not end the response to another one.
    private let number: Int

    init(connection: LoopBound<Connection>, number: Int) {
        self.connection = connection
        self.number = number
    }

    func cancelWhenItLeaves() {
        guard connection.loop.isCurrent else { return connection.loop.execute { self.cancelWhenItLeaves() } }
        if connection.value.waitingRequests == number { connection.value.endWithClient() }
    }
}
