/// A way of writing a value, by the name that it has in templates, `{{date made long}}`, and in sentences,
/// `{made, date, long}`.
enum ValueFormat: Sendable, Hashable {
    case date(DateStyle)
    case time(TimeStyle)
    case dateTime(DateStyle)
    case number(decimals: Int?)
    case percent(decimals: Int)
    /// Money, with the code of its currency (ISO 4217).
    case currency(String)

    /// The names of all formats.
    static let names = ["date", "time", "dateTime", "number", "percent", "currency"]

    /// The most decimals that may be asked for.
    static let mostDecimals = 9

    /// The decimals of a number for which none are asked.
    static let usualDecimals = 0...3

    /// - Parameter style: The length of a day or time, the number of decimals, or a currency; nil for what is usual.
    /// - Returns: nil for a name or a style that there is not.
    init?(_ name: String, _ style: String?) {
        let decimals = style.flatMap(Int.init)
        switch name {
        case "date", "dateTime":
            guard let length = DateStyle(rawValue: style ?? "medium") else { return nil }
            self = name == "date" ? .date(length) : .dateTime(length)
        case "time":
            guard let length = TimeStyle(rawValue: style ?? "short") else { return nil }
            self = .time(length)
        case "number", "percent":
            guard style == nil || decimals.map({ (0...Self.mostDecimals).contains($0) }) ?? false else { return nil }
            self = name == "number" ? .number(decimals: decimals) : .percent(decimals: decimals ?? 0)
        case "currency":
            guard let style, MoneyFormat.isCode(style) else { return nil }
            self = .currency(style)
        default: return nil
        }
    }

    /// The styles that a format can have, for a message about another one.
    static func styles(of name: String) -> String {
        switch name {
        case "date", "dateTime": "full, long, medium or short after the name, or nothing"
        case "time": "short or medium after the name, or nothing"
        case "currency": "the code of a currency after the name, such as EUR"
        default: "a number of decimals from 0 to \(mostDecimals) after the name, or nothing"
        }
    }

    /// The values that can be written so, for a message about another one.
    var values: String {
        switch self {
        case .date: "a day, a local time or a moment"
        case .time, .dateTime: "a local time or a moment"
        case .number, .percent, .currency: "a number"
        }
    }
}
