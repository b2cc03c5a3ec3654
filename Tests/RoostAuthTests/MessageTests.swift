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

    @Test func `a table says what is wrong with a password or an address`() {
        let errors: [(any ResponseError, String)] = [
            (InvalidPassword.tooShort(15), "Password must have at least {minimum} characters"),
            (InvalidPassword.tooLong(1024), "Password cannot have more than {maximum} characters"),
            (AccountError.exists("ann@example.com"), "There is an account with the address {address} already."),
            (AccountError.notAnAddress("ann"), "\"{text}\" is not an email address."),
        ]
        for (error, sentence) in errors {
            let german = MessageTable("de", [sentence: "Auf Deutsch: {minimum}{maximum}{address}{text}"])
            let message = error.httpError?.translated(by: german).message
            #expect(message?.hasPrefix("Auf Deutsch: ") == true, "\(sentence)")
            #expect(MessageTable.sentences.contains(sentence))
        }
        #expect(InvalidPassword.tooShort(15).message == "Password must have at least 15 characters")
        #expect(InvalidPassword.tooLong(1024).message == "Password cannot have more than 1024 characters")
    }

    @Test func `the list of sentences has what is said about passwords that others would guess`() {
        for password in [InvalidPassword.common, .address] {
            #expect(MessageTable.sentences.contains(password.message))
        }
    }
}
