import Testing

@testable import Roost
@testable import RoostAuth

@Suite("Messages for visitors", .timeLimit(.minutes(5)))
struct MessageTests {
    @Test func `a table says how long an attempt to sign in has to wait`() {
        let german = MessageTable(
            "de",
            [
                "Too many attempts to sign in. Try again in {seconds} seconds.":
                    "Erst in {seconds, plural, one {# Sekunde} other {# Sekunden}} wieder."
            ])
        let message = { (seconds: Int, table: MessageTable) in
            SignInRefused.throttled(seconds: seconds).translated(by: table).message
        }
        #expect(message(1, german) == "Erst in 1 Sekunde wieder.")
        #expect(message(30, german) == "Erst in 30 Sekunden wieder.")
        #expect(message(1, .english) == "Too many attempts to sign in. Try again in 1 second.")
        #expect(message(2, .english) == "Too many attempts to sign in. Try again in 2 seconds.")
    }

    @Test func `the list of sentences has what is said about passwords that others would guess`() {
        for password in [InvalidPassword.common, .address] {
            #expect(MessageTable.sentences.contains(password.message))
        }
    }
}
