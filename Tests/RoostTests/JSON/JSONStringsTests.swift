import Testing

@testable import Roost

@Suite("An object of strings", .timeLimit(.minutes(5)))
struct JSONStringsTests {
    @Test(
        "reads as Decodable reads it",
        arguments: [
            "{}", #"{"a":"1"}"#, #" { "a" : "1" , "owner":"7","email":"a@b.example" } "#,
            #"{"a\"b":"c\\d\n","é":"\u00e9\ud83d\ude00","":""}"#,
        ])
    func agrees(_ text: String) throws {
        let strings = try JSONCoder().strings(in: text)
        #expect(try strings == JSONCoder().decode([String: String].self, from: Array(text.utf8)))
    }

    @Test("comes back as it was written")
    func returns() throws {
        let values = ["email": "a\"b\\c@d.example", "owner": "7", "text": "\u{0}\u{1F}\r\n\u{2028}😀"]
        #expect(try JSONCoder().strings(in: try JSONCoder().string(values)) == values)
    }

    @Test(
        "is refused with the same error when it is something else",
        arguments: [
            "", "{", "[]", "null", #""a""#, #"{"a":1}"#, #"{"a":null}"#, #"{"a":{"b":"c"}}"#, #"{"a":"1","a":"2"}"#,
        ])
    func refused(_ text: String) {
        var errors: [String] = []
        do { _ = try JSONCoder().strings(in: text) } catch { errors.append("\(error)") }
        do { _ = try JSONCoder().decode([String: String].self, from: Array(text.utf8)) } catch {
            errors.append("\(error)")
        }
        #expect(errors.count == 2 && errors.first == errors.last)
    }
}
