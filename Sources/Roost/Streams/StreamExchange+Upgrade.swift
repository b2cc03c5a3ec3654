import HTTPTypes

// The change of a stream to another protocol, which only WebSockets ask for (RFC 8441).

extension StreamExchange {
    /// The other protocol that a response changes to, which then is an ordinary one (RFC 8441 §5); nil if there is
    /// none, or if there are too many WebSockets.
    func admitUpgrade(_ response: inout Response) -> (any ProtocolUpgrade)? {
        guard response.status == .switchingProtocols, let upgrade = response.body.upgrade as? any ProtocolUpgrade
        else {
            // A success would open the WebSocket, without its route having looked at the origin.
            if 200..<300 ~= response.status.code {
                response = Response(HTTPError(.notImplemented, "There is no WebSocket at this address."))
            }
            return nil
        }
        guard group.budgets.webSockets.enter(client) else {
            response = group.tooManyOpen("WebSockets", by: clientHost)
            return nil
        }
        response.status = .ok
        response.headers[.secWebSocketAccept] = nil
        return upgrade
    }

    /// Sends the head, and lets another protocol speak for the stream. False: it does the rest.
    func change(to upgrade: any ProtocolUpgrade) -> Bool {
        body?.onRead = { [unowned self] count in if !isClosed { carrier.used(count, of: self) } }
        let transport = StreamTransport(self)
        self.transport = transport
        carrier.send(endsStream: false, on: self)
        transport.speak(upgrade, in: group, for: self)
        return false
    }
}
