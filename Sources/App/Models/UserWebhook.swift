import FoundationEssentials
import HTTPTypes
import Roost
import RoostHTTPClient
import RoostJobs

/// The job that tells another program about a change to the list of users.
struct UserWebhook: Job {
    let change: UserChange
    let time: Date

    /// The text that is sent, as Standard Webhooks describes it.
    private struct Message: Encodable {
        let type: String
        let timestamp: Date
        let data: User.Summary
    }

    /// Sends the message. Any response but a success means that it is to be sent again; 410 that it never is.
    func run(_ context: JobContext) async throws {
        let receiver = try context.service(WebhookReceiver.self)
        let message = Message(type: "user.\(change.kind.rawValue)", timestamp: time, data: change.user)
        let body = try JSONCoder().encode(message)
        // The same for all tries, so that the receiver knows a message that it already has.
        let id = "msg_\(context.id)_\(Int(time.timeIntervalSince1970 * 1000))"
        var headers = receiver.key.headers(id: id, body: body)
        headers[.contentType] = "application/json"
        do {
            let response = try await receiver.http.post(receiver.url, body: Body(body), headers: headers)
            if response.status == .gone {
                throw JobFailure.discard("\(receiver.origin) does not want to be told any more.")
            }
            _ = try response.successful()
        } catch let failure as HTTPClient.Failure {
            throw HTTPClient.Failure(
                failure.kind, url: receiver.origin, message: "has not taken the message: \(failure.kind)")
        }
    }
}

/// The program that is told about changes (`WEBHOOK_URL`), and the secret by which it knows who tells it
/// (`WEBHOOK_SECRET`).
struct WebhookReceiver: Sendable {
    let url: String
    let key: WebhookKey
    var http = HTTPClient(timeout: .seconds(20))

    /// The scheme and the host: of a URL whose path may be a secret, the log shows no more.
    var origin: String {
        HTTPClient.Request(.post, url).plainURL.utf8
            .split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
            .prefix(3).map { String(Substring($0)) }.joined(separator: "/")
    }
}
