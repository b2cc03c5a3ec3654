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

    @Test(
        "keeps to the coder's limits",
        arguments: [
            JSONCoder(maximumMembers: 1), JSONCoder(maximumMembers: 2), JSONCoder(maximumDepth: 0),
            JSONCoder(maximumDepth: 1), JSONCoder(maximumValues: 2), JSONCoder(maximumValues: 3),
            JSONCoder(maximumValues: 0),
        ])
    func limited(_ coder: JSONCoder) {
        let text = #"{"a":"1","b":"2"}"#
        let texts = [
            Result { try coder.strings(in: text) },
            Result { try coder.decode([String: String].self, from: Array(text.utf8)) },
        ].map { result in
            switch result {
            case .success(let strings): "\(strings.sorted { $0.key < $1.key })"
            case .failure(let error): "\(error)"
            }
        }
        #expect(texts[0] == texts[1])
    }

    @Test("reads as Decodable reads it, however many members it has", arguments: [1, 31, 32, 33, 100])
    func many(_ count: Int) throws {
        let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", "value \($0)") })
        #expect(try JSONCoder().strings(in: try JSONCoder().string(values)) == values)
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
