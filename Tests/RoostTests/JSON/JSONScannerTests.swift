import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `The strict scan of JSON` {
    /// RFC 8259 §2–§7.
    static let valid: [String] = [
        "null", "true", "false", "0", "-0", "\"\"", "[]", "{}", " [ ] ", "\t{\r\n}\n", "1 ", " \"a\" ",
        "[1]", "[1,2]", "[ 1 , 2 ]", "[[]]", "[[],[]]", "[{}]", "[null,true,false]", "[1,[2,[3,[4]]]]",
        "{\"a\":1}", "{ \"a\" : 1 , \"b\" : 2 }", "{\"\":0}", "{\"a\":{\"a\":{\"a\":1}}}", "{\"a\":1,\"A\":2}",
        "[{\"a\":1},{\"a\":2}]", "{\"a\":[{\"b\":1},{\"b\":2}],\"b\":3}", "{\"a\":{\"b\":1},\"b\":2}",
        "123", "-123", "1.5", "-0.5", "0.0", "10", "1e5", "1E5", "1e+5", "1e-5", "0e0", "0e+1", "1.5e300", "1e999",
        "123456789012345678901234567890", "0.00000000000000000000000000000000001", "-1.5E-07",
        "\"a\\\"b\"", "\"\\\\\"", "\"\\/\"", "\"/\"", "\"\\b\\f\\n\\r\\t\"", "\"\\u0000\"", "\"\\u00e9\"",
        "\"\\uD834\\uDD1E\"", "\"\\ud834\\udd1e\"", "\"\\uDBFF\\uDFFF\"", "\"\\uFFFF\"", "\"\\u2028\"", "\"\u{7F}\"",
        "\"\u{80}\"", "\"é\"", "\"漢字\"", "\"😀\"", "\"\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"", "\"\u{2028}\"",
        "\"\u{FEFF}\"", "\"exactly8\"", "\"seven..\"", "\"a text of more than sixteen bytes\"", "\"eight..\\n\"",
        "{\"a\\n\":1,\"a\\\\n\":2}", "{\"e\u{301}\":1,\"漢\":2}", "[\"\",0.5,-1,{}]",
    ]

    @Test(arguments: valid)
    func `a valid text passes`(text: String) throws {
        try JSONCoder().check(Array(text.utf8))
    }

    @Test(arguments: valid)
    func `every beginning of a valid text is valid or ends too early`(text: String) {
        let bytes = Array(text.utf8)
        for length in 0..<bytes.count {
            do { try JSONCoder().check(Array(bytes[..<length])) } catch {
                #expect(error == JSONSyntaxError(offset: length, reason: .endsEarly))
            }
        }
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        let text: [UInt8]
        let offset: Int
        let reason: JSONSyntaxError.Reason

        init(_ text: String, _ offset: Int, _ reason: JSONSyntaxError.Reason) {
            self.init(Array(text.utf8), offset, reason)
        }

        init(_ text: [UInt8], _ offset: Int, _ reason: JSONSyntaxError.Reason) {
            self.text = text
            self.offset = offset
            self.reason = reason
        }

        var testDescription: String { String(decoding: text, as: UTF8.self) }
    }

    static let structure = [
        Fault("", 0, .endsEarly),
        Fault(" \n", 2, .endsEarly),
        Fault("\u{FEFF}{}", 0, .byteOrderMark),
        Fault(" \u{FEFF}1", 1, .valueExpected),
        Fault("[", 1, .endsEarly),
        Fault("[1", 2, .endsEarly),
        Fault("[1,", 3, .endsEarly),
        Fault("[1,]", 3, .valueExpected),
        Fault("[,1]", 1, .valueExpected),
        Fault("[1,,2]", 3, .valueExpected),
        Fault("[1 2]", 3, .endOfArrayExpected),
        Fault("[1}", 2, .endOfArrayExpected),
        Fault("[1:2]", 2, .endOfArrayExpected),
        Fault("[\"a\":1]", 4, .endOfArrayExpected),
        Fault("]", 0, .valueExpected),
        Fault("[]]", 2, .trailingBytes),
        Fault("{", 1, .endsEarly),
        Fault("}", 0, .valueExpected),
        Fault("{\"a\"", 4, .endsEarly),
        Fault("{\"a\":", 5, .endsEarly),
        Fault("{\"a\":1", 6, .endsEarly),
        Fault("{\"a\":1,}", 7, .nameExpected),
        Fault("{,}", 1, .nameExpected),
        Fault("{1:1}", 1, .nameExpected),
        Fault("{a:1}", 1, .nameExpected),
        Fault("{'a':1}", 1, .nameExpected),
        Fault("{null:1}", 1, .nameExpected),
        Fault("{\"a\" 1}", 5, .colonExpected),
        Fault("{\"a\",1}", 4, .colonExpected),
        Fault("{\"a\"}", 4, .colonExpected),
        Fault("{\"a\":}", 5, .valueExpected),
        Fault("{\"a\"::1}", 5, .valueExpected),
        Fault("{\"a\":1 \"b\":2}", 7, .endOfObjectExpected),
        Fault("{\"a\":1]", 6, .endOfObjectExpected),
        Fault("{}{}", 2, .trailingBytes),
        Fault("1 2", 2, .trailingBytes),
        Fault("[1]x", 3, .trailingBytes),
        Fault("null\0", 4, .trailingBytes),
        Fault("[1]\u{B}", 3, .trailingBytes),
        Fault("\u{C}1", 0, .valueExpected),
        Fault("\u{A0}1", 0, .valueExpected),
        Fault("// comment\n1", 0, .valueExpected),
        Fault("[1 /* no */]", 3, .endOfArrayExpected),
        Fault("tru", 3, .endsEarly),
        Fault("truE", 3, .valueExpected),
        Fault("True", 0, .valueExpected),
        Fault("nul1", 3, .valueExpected),
        Fault("falsey", 5, .trailingBytes),
        Fault("undefined", 0, .valueExpected),
        Fault("'a'", 0, .valueExpected),
    ]

    static let numbers = [
        Fault("-", 1, .endsEarly),
        Fault("[-]", 2, .digitExpected),
        Fault("+1", 0, .valueExpected),
        Fault(".5", 0, .valueExpected),
        Fault("-.5", 1, .digitExpected),
        Fault("1.", 2, .endsEarly),
        Fault("[1.]", 3, .digitExpected),
        Fault("1.e5", 2, .digitExpected),
        Fault("01", 1, .leadingZero),
        Fault("-01", 2, .leadingZero),
        Fault("00", 1, .leadingZero),
        Fault("[1e]", 3, .digitExpected),
        Fault("[1e+]", 4, .digitExpected),
        Fault("1e+-1", 3, .digitExpected),
        Fault("1e1.5", 3, .trailingBytes),
        Fault("1.5.5", 3, .trailingBytes),
        Fault("--1", 1, .digitExpected),
        Fault("1-1", 1, .trailingBytes),
        Fault("0x1F", 1, .trailingBytes),
        Fault("1_000", 1, .trailingBytes),
        Fault("1a", 1, .trailingBytes),
        Fault("NaN", 0, .valueExpected),
        Fault("nan", 1, .valueExpected),
        Fault("Infinity", 0, .valueExpected),
        Fault("-Infinity", 1, .digitExpected),
        Fault("١", 0, .valueExpected),
        Fault("１", 0, .valueExpected),
    ]

    static let strings = [
        Fault("\"", 1, .endsEarly),
        Fault("\"a", 2, .endsEarly),
        Fault("\"\\\"", 3, .endsEarly),
        Fault("\"a\nb\"", 2, .controlCharacter),
        Fault("\"\t\"", 1, .controlCharacter),
        Fault("\"\0\"", 1, .controlCharacter),
        Fault("\"\u{1F}\"", 1, .controlCharacter),
        Fault("\"eight by\r\"", 9, .controlCharacter),
        Fault("\"\\a\"", 2, .invalidEscape),
        Fault("\"\\'\"", 2, .invalidEscape),
        Fault("\"\\x41\"", 2, .invalidEscape),
        Fault("\"\\U0041\"", 2, .invalidEscape),
        Fault("\"\\\n\"", 2, .invalidEscape),
        Fault("\"\\é\"", 2, .invalidEscape),
        Fault("\"\\u\"", 3, .invalidEscape),
        Fault("\"\\u12\"", 5, .invalidEscape),
        Fault("\"\\u12G4\"", 5, .invalidEscape),
        Fault("\"\\u+123\"", 3, .invalidEscape),
        Fault("\"\\u{41}\"", 3, .invalidEscape),
        Fault("\"\\uD800\"", 1, .loneSurrogate),
        Fault("\"\\uDC00\"", 1, .loneSurrogate),
        Fault("\"\\uDFFF\\uD800\"", 1, .loneSurrogate),
        Fault("\"\\uD800x\"", 1, .loneSurrogate),
        Fault("\"\\uD800\\n\"", 1, .loneSurrogate),
        Fault("\"\\uD800\\uD800\"", 1, .loneSurrogate),
        Fault("\"\\uD800\\u0041\"", 1, .loneSurrogate),
        Fault("\"ab\\uDBFF\\uE000\"", 3, .loneSurrogate),
    ]

    /// RFC 3629 §4; each is in a string, after the quotation mark and `padding` bytes.
    static let foreign = [
        Fault([0x80], 0, .invalidUTF8),
        Fault([0xBF], 0, .invalidUTF8),
        Fault([0xC0, 0x80], 0, .invalidUTF8),
        Fault([0xC1, 0xBF], 0, .invalidUTF8),
        Fault([0xC2, 0x22], 1, .invalidUTF8),
        Fault([0xC2, 0xC2], 1, .invalidUTF8),
        Fault([0xE0, 0x80, 0x80], 1, .invalidUTF8),
        Fault([0xE0, 0x9F, 0xBF], 1, .invalidUTF8),
        Fault([0xE2, 0x82], 2, .invalidUTF8),
        Fault([0xED, 0xA0, 0x80], 1, .invalidUTF8),
        Fault([0xED, 0xBF, 0xBF], 1, .invalidUTF8),
        Fault([0xF0, 0x80, 0x80, 0x80], 1, .invalidUTF8),
        Fault([0xF0, 0x8F, 0xBF, 0xBF], 1, .invalidUTF8),
        Fault([0xF0, 0x9F, 0x98], 3, .invalidUTF8),
        Fault([0xF4, 0x90, 0x80, 0x80], 1, .invalidUTF8),
        Fault([0xF5, 0x80, 0x80, 0x80], 0, .invalidUTF8),
        Fault([0xF8, 0x88, 0x80, 0x80, 0x80], 0, .invalidUTF8),
        Fault([0xFE], 0, .invalidUTF8),
        Fault([0xFF], 0, .invalidUTF8),
        Fault([0xC3, 0xA9, 0xE9], 3, .invalidUTF8),
    ]

    static let names = [
        Fault("{\"a\":1,\"a\":2}", 7, .repeatedName),
        Fault("{\"a\":1,\"b\":2,\"a\":3}", 13, .repeatedName),
        Fault("{\"a\":1,\"\\u0061\":2}", 7, .repeatedName),
        Fault("{\"\\u00e9\":1,\"é\":2}", 12, .repeatedName),
        Fault("{\"\\uD83D\\uDE00\":1,\"😀\":2}", 18, .repeatedName),
        Fault("{\"/\":1,\"\\/\":2}", 7, .repeatedName),
        Fault("{\"\":1,\"\":2}", 6, .repeatedName),
        Fault("[{\"b\":{\"a\":1,\"a\":2}}]", 13, .repeatedName),
        Fault("{\"a\":{\"a\":1},\"a\":2}", 13, .repeatedName),
        // The same name to Swift, which would keep only one of the values.
        Fault("{\"\u{E9}\":1,\"e\u{301}\":2}", 8, .repeatedName),
        Fault("{\"e\u{301}\":1,\"\u{E9}\":2}", 9, .repeatedName),
        Fault("{\"K\":1,\"\u{212A}\":2}", 7, .repeatedName),
        Fault("{\"K\":1,\"\\u212A\":2}", 7, .repeatedName),
        Fault("{\"\\u0065\\u0301\":1,\"a\":0,\"\u{E9}\":2}", 24, .repeatedName),
        Fault(
            "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"\u{E9}\":9,\"e\u{301}\":0}", 56,
            .repeatedName),
    ]

    @Test(arguments: structure + numbers + strings + names)
    func `a malformed text is refused where it is wrong`(fault: Fault) {
        #expect(throws: JSONSyntaxError(offset: fault.offset, reason: fault.reason)) {
            try JSONCoder().check(fault.text)
        }
    }

    @Test(arguments: foreign)
    func `bytes that are not UTF-8 are refused`(fault: Fault) {
        for padding in 0...9 {
            let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + fault.text + [0x22]
            #expect(throws: JSONSyntaxError(offset: fault.offset + padding + 1, reason: fault.reason)) {
                try JSONCoder().check(text)
            }
        }
    }

    @Test func `an error is one sentence with the place`() {
        let error = JSONSyntaxError(offset: 7, reason: .repeatedName)
        #expect("\(error)" == "The JSON is malformed at byte 7: the object has this name already.")
    }
}
