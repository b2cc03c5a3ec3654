import Roost

@testable import RoostSQL

/// Whatever a name or a value is, an engine that reads bytes sees the statement that the program wrote.
///
/// A NUL separates the names, which are those of a table, of columns and of channels.
func fuzzSQL(_ bytes: [UInt8]) throws {
    let names = bytes.split(separator: 0, omittingEmptySubsequences: false).prefix(16).map {
        String(decoding: $0, as: UTF8.self)
    }
    try checkIdentifiers(names)
    try checkChannels(names)
    try checkSplicing(names)
    try checkEquality(names)
    let isRefused = (try? SQLIdentifier(String(decoding: bytes, as: UTF8.self))) == nil
    try same(isRefused, bytes.contains(0), "a name is refused for a NUL and for nothing else")
}

/// A token of SQL as a scanner sees it: a name without its quotes, a text between names, or a placeholder.
private enum Token: Equatable {
    case name([UInt8])
    case other(UInt8)
    case placeholder(Int)
}

/// Reads as engines do, by bytes; nil for a name without an end.
private func tokens(_ text: String) -> [Token]? {
    var tokens: [Token] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        if byte == UInt8(ascii: "\"") {
            var name: [UInt8] = []
            while true {
                guard let next = rest.popFirst() else { return nil }
                if next == UInt8(ascii: "\"") {
                    guard rest.first == next else { break }
                    rest.removeFirst()
                }
                name.append(next)
            }
            tokens.append(.name(name))
        } else if byte == UInt8(ascii: "$") {
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            rest.removeFirst(digits.count)
            tokens.append(.placeholder(Int(String(decoding: digits, as: UTF8.self)) ?? 0))
        } else {
            tokens.append(.other(byte))
        }
    }
    return tokens
}

private func plain(_ text: StaticString) -> [Token] {
    text.withUTF8Buffer { $0.map { Token.other($0) } }
}

private func checkIdentifiers(_ names: [String]) throws {
    for name in names {
        let sql: SQL = "SELECT \(identifier: name) FROM \(identifier: name) WHERE a = \(name)"
        let quoted = [Token.name(Array(name.utf8))]
        let wanted = plain("SELECT ") + quoted + plain(" FROM ") + quoted + plain(" WHERE a = ") + [.placeholder(1)]
        try same(tokens(sql.text), wanted, "a name stays in its quotes")
        try same(sql.bindings, [.text(name)], "a value is bound as it is")
    }
}

/// As notifications are requested: several statements in one text.
private func checkChannels(_ names: [String]) throws {
    let text = try names.map { "LISTEN \(try SQLIdentifier($0).quoted);" }.joined()
    let wanted = names.flatMap { plain("LISTEN ") + [.name(Array($0.utf8))] + plain(";") }
    try same(tokens(text), wanted, "a channel's name stays in its quotes")
}

private func checkSplicing(_ names: [String]) throws {
    var sql: SQL = ""
    var wanted: [Token] = []
    for (number, name) in names.enumerated() {
        let fragment: SQL = "\(identifier: name) = \(name) "
        sql = "\(sql)\(fragment)"
        wanted += [.name(Array(name.utf8))] + plain(" = ") + [.placeholder(number + 1)] + plain(" ")
    }
    try same(tokens(sql.text), wanted, "fragments keep their names, and their placeholders count on")
    try same(sql.bindings, names.map { .text($0) }, "fragments keep their values")
}

private func checkEquality(_ names: [String]) throws {
    let texts = Set(names.map { ExactText($0) })
    try same(texts.count, Set(names.map { Array($0.utf8) }).count, "texts are the same when their bytes are")
    for name in names { try hold(texts.contains(ExactText(name)), "a text is found again") }
}
