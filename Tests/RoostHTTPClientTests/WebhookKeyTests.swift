import FoundationEssentials
import HTTPTypes
import Roost
import RoostTesting
import Testing

import struct RoostHTTPClient.HTTPClient
import struct RoostHTTPClient.WebhookKey

// The example of the specification's own libraries.
private let time = Date(timeIntervalSince1970: 1_614_265_330)
private let body = Array("{\"test\": 2432232314}".utf8)
private let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

@Suite(.timeLimit(.minutes(2)))
struct WebhookKeyTests {
    private let key: WebhookKey
    private let headers: Headers

    init() throws {
        key = try WebhookKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        headers = key.headers(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: time, body: body)
    }

    private func isValid(_ change: (inout Headers) -> Void, _ bytes: [UInt8] = body, at now: Date = time) -> Bool {
        var changed = headers
        change(&changed)
        return key.isValid(changed, body: bytes, at: now)
    }

    @Test func `a message is signed as the specification says`() {
        #expect(headers[.webhookID] == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(headers[.webhookTimestamp] == "1614265330")
        #expect(headers[.webhookSignature] == signature)
        #expect(isValid { _ in })
    }

    @Test func `any change makes it worthless`() {
        #expect(!isValid({ _ in }, body + [0]))
        #expect(!isValid({ $0[.webhookID] = "msg_other" }))
        #expect(!isValid({ $0[.webhookTimestamp] = "1614265331" }))
        for wrong in [
            "", "v1,", "v1,AAAA", "v2" + signature.dropFirst(2), String(signature.dropFirst(3)), signature + "A",
        ] {
            #expect(!isValid({ $0[.webhookSignature] = wrong }))
        }
        for name in [HTTPField.Name.webhookID, .webhookTimestamp, .webhookSignature] {
            #expect(!isValid({ $0[name] = nil }))
        }
        for wrong in ["", "x", "-1", "99999999999999999999", "1e9", "1614265330.0"] {
            #expect(!isValid({ $0[.webhookTimestamp] = wrong }))
        }
    }

    @Test func `it holds for five minutes, and one of several signatures is enough`() {
        #expect(isValid({ _ in }, at: time + 300) && isValid({ _ in }, at: time - 300))
        #expect(!isValid({ _ in }, at: time + 301) && !isValid({ _ in }, at: time - 301))
        #expect(isValid { $0[.webhookSignature] = "v1,AAAA v1a,x \(signature)" })
    }

    @Test func `it goes by the clock with which it was made`() throws {
        let clock = TestClock(at: time)
        let key = try withClock(clock) { try WebhookKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") }
        #expect(key.headers(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: body)[.webhookSignature] == signature)
        clock.advance(by: .seconds(300))
        #expect(key.isValid(headers, body: body))
        clock.advance(by: .seconds(1))
        #expect(!key.isValid(headers, body: body))
        #expect(key.headers(id: "1", body: body)[.webhookTimestamp] == "1614265631")
    }

    @Test(arguments: [
        "", "whsec_", "whsec_AAAA", "whsec_not base64 at all, by no means!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
    ])
    func `a secret that is none`(text: String) {
        let error = #expect(throws: StartError.self) { try WebhookKey(text) }
        #expect(error.map { "\($0)".contains("openssl rand") } ?? false)
    }

    @Test func `a receiver knows who has sent it`() async throws {
        let key = key
        let receiver = try await TestHTTPServer { routes in
            routes.post(Path("/hook")) { request in
                Response(key.isValid(request.headers, body: try request.body.bytes) ? .noContent : .unauthorized)
            }
        }
        let http = HTTPClient()
        let signed = try await http.post(
            receiver.url("/hook"), body: Body(body), headers: key.headers(id: "1", body: body))
        #expect(signed.status == .noContent)
        #expect(try await http.post(receiver.url("/hook"), body: Body(body)).status == .unauthorized)
    }
}
