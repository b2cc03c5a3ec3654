extension Connection {
    /// Goes on in the protocol that a response has changed to, after its head. False for nearly all responses.
    func begin(_ response: Response) -> Bool {
        guard response.status == .switchingProtocols, let upgrade = response.body.upgrade as? WebSocketUpgrade else {
            return false
        }
        phase = .webSocket
        task = nil
        clock.awaitNothing(at: group.now)
        // One that has not waited is still in the loop's buffer.
        var request = upgrade.request
        if let bytes = input.bytes, group.owns(bytes) { request.letGo(of: bytes) }
        let session = WebSocketSession(self, upgrade, request)
        self.session = session
        session.start(upgrade)
        return true
    }
}
