import Roost

/// What the page is told when the state changes.
struct LoginUpdate: Encodable {
    let isLoading: Bool
    let errorMessage: String
    let isLoggedIn: Bool

    init(_ state: LoginState) {
        isLoading = state.isLoading
        errorMessage = state.errorMessage ?? ""
        isLoggedIn = state.user != nil
    }

    func serverSentEvent() throws -> ServerSentEvent {
        ServerSentEvent(String(decoding: try JSONCoder().encode(self), as: UTF8.self), event: "state")
    }
}
