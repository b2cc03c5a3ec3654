/// The client of one request on a connection.
struct ConnectedClient: RequestClient {
    private let connection: LoopBound<Connection>
    /// The number of its request on the connection: it must not end the response to another one.
    private let number: Int

    init(_ connection: LoopBound<Connection>, number: Int) {
        self.connection = connection
        self.number = number
    }

    func cancelWhenItLeaves() {
        guard connection.loop.isCurrent else { return connection.loop.execute { cancelWhenItLeaves() } }
        if connection.value.waitingRequests == number { connection.value.endWithClient() }
    }
}
