import Testing

@testable import Roost

@Suite("Sentences with numbers", .timeLimit(.minutes(5)))
struct SentenceTests {
    private static let german = MessageTable(
        "de",
        [
            "Must have at least {minimum} characters.":
                "Muss mindestens {minimum, plural, one {ein Zeichen} other {# Zeichen}} haben.",
            "Of {all} eggs, {count} are yours.":
                "Dir {count, plural, =0 {gehört keines} one {gehört eines} other {gehören #}} der {all} Eier.",
            "The form has more than the {maximum} fields allowed here.": "Mehr als {maximum} Felder.",
        ])

    @Test(arguments: [
        (1, "Muss mindestens ein Zeichen haben.", "Must have at least 1 character."),
        (8, "Muss mindestens 8 Zeichen haben.", "Must have at least 8 characters."),
    ])
    func `a sentence has its numbers in every language`(count: Int, german: String, english: String) {
        #expect(Self.german.text(.shortest(count)) == german)
        #expect(MessageTable.english.text(.shortest(count)) == english)
        #expect(MessageTable("fr").text(.shortest(count)) == english)
    }

    @Test(arguments: [
        (0, "Dir gehört keines der 12 Eier."), (1, "Dir gehört eines der 12 Eier."), (3, "Dir gehören 3 der 12 Eier."),
    ])
    func `an application's own sentences, in another order`(count: Int, german: String) {
        let sentence = Sentence("Of {all} eggs, {count} are yours.", ["all": 12, "count": count])
        #expect(Self.german.text(sentence) == german)
        #expect(sentence.text == "Of 12 eggs, \(count) are yours.")
        let error = HTTPError(.conflict, field: "eggs", sentence)
        #expect(error.message == sentence.text)
        #expect(error.translated(by: Self.german).parts == [.init("/eggs", german)])
        #expect(error.translated(by: Self.german).message == german)
    }

    @Test(arguments: [
        (1.0, "1 egg"), (-1.0, "-1 egg"), (1.5, "1.5 eggs"), (1.0001, "1 egg"), (0.0, "no eggs"), (2.5, "some"),
        (1e15, "1,000,000,000,000,000 eggs"), (1e300, "eggs"), (.nan, "nan eggs"),
    ])
    func `words go by the number that is shown`(count: Double, text: String) {
        let template = "{n, plural, =0 {no eggs} =2.5 {some} one {# egg} other {# eggs}}"
        let shown = Sentence(template, ["n": count]).text
        #expect(count == 1e300 ? shown.hasSuffix(text) : shown == text, "\(shown)")
    }

    @Test func `languages with other plurals`() {
        let polish = MessageTable("pl", ["{n} eggs": "{n, plural, one {# jajo} few {# jajka} other {# jaj}}"]) { n in
            n == 1 ? "one" : (2...4).contains(n % 10) && !(12...14).contains(n % 100) ? "few" : "other"
        }
        let texts = [1, 3, 5, 13, 23].map { polish.text(Sentence("{n} eggs", ["n": $0])) }
        #expect(texts == ["1 jajo", "3 jajka", "5 jaj", "13 jaj", "23 jajka"])
    }

    @Test(arguments: [
        ("{a", "{a"), ("{b}", "{b}"), ("a}", "a}"), ("{a, plural}", "7"), ("{a, plural, few {x}}", ""), ("#", "#"),
        ("{a, plural, other {# of {b} and {a}}}", "7 of {b} and 7"), ("{ a }", "7"), ("{}", "{}"),
        ("{a}\u{301}{\u{301}a}", "7\u{301}{\u{301}a}"), ("é{a}é", "é7é"),
    ])
    func `what means nothing stays`(template: String, text: String) {
        #expect(Sentence(template, ["a": 7]).text == text)
    }

    @Test func `a value is never a template`() {
        #expect(Sentence("{a} {b}", ["a": "{b} #", "b": "x"]).text == "{b} # x")
        #expect(Sentence("{a").text == "{a")
    }
}
