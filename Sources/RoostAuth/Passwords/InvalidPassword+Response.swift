public import Roost

extension InvalidPassword: ResponseError {
    /// 422 with what is wrong, where a handler lets a person choose a password and does not say it itself.
    public var httpError: HTTPError? { HTTPError(.unprocessableContent, message) }
}
