/// The ways in which a language writes days, times, numbers and money (Unicode CLDR): names, patterns and signs.
///
/// A pattern has the letters of UTS #35, of which these are known: `y`, `yy` and `yyyy` for the year, `M`, `MM`, `MMM`
/// and `MMMM` for the month, `d` and `dd` for the day, `EEEE` for the weekday, `h`, `hh`, `H`, `HH`, `mm` and `ss` for
/// the time, and `a` for the half of the day. Text with such letters stands in apostrophes.
final class LanguageFormat: Sendable {
    private let months, shortMonths, weekdays, halves: [String]
    /// The patterns of days, from the longest to the shortest.
    private let days: [String]
    /// The patterns of times, without seconds and with them.
    private let times: [String]
    /// The patterns of a day, `{1}`, with its time, `{0}`.
    private let joints: [String]
    let decimalSign, groupSign, minus: String
    private let percent: String
    /// The way of writing money.
    private let money: MoneyFormat
    /// The fewest digits of a whole number that are written in groups.
    private let leastGroupedDigits: Int

    /// Reads the lines of a language, as ``LanguageData`` has them: the long and the short names of months, the
    /// weekdays, the halves of a day, its patterns, those of a day with its time, the signs of numbers, and money.
    init(_ texts: [String]) {
        let lines = texts.map { $0.split(separator: "|", omittingEmptySubsequences: false).map(String.init) }
        let line = { (index: Int) in index < lines.count ? lines[index] : [] }
        (months, shortMonths, weekdays, halves) = (line(0), line(1), line(2), line(3))
        (days, times, joints) = (Array(line(4).prefix(4)), Array(line(4).dropFirst(4)), line(5))
        let signs = line(6) + Array(repeating: "", count: max(0, 5 - line(6).count))
        (decimalSign, groupSign, minus, percent) = (signs[0], signs[1], signs[3], signs[4])
        leastGroupedDigits = Int(signs[2]) ?? .max
        money = MoneyFormat(line(7), decimalSign: signs[0], groupSign: signs[1], minus: signs[3])
    }

    /// The languages that are known.
    static var languages: [String] { all.keys.sorted() }

    /// The format of a language (BCP 47): that of its region, or otherwise of the language. One that is not known
    /// writes days and times as ISO 8601 does, and numbers without groups.
    static func of(_ language: String) -> LanguageFormat {
        var tag = language.lowercased()[...]
        while !tag.isEmpty {
            if let lines = lines(of: relatives[String(tag)] ?? String(tag)) { return LanguageFormat(lines) }
            tag = tag[..<(tag.lastIndex(of: "-") ?? tag.startIndex)]
        }
        return .neutral
    }

    /// The lines of each language or region by its tag.
    private static let all: [String: Substring] = LanguageData.all.reduce(into: [:]) { all, text in
        for entry in text.utf8.split(separator: UInt8(ascii: "@")) {
            let tag = entry.prefix { $0 != UInt8(ascii: "^") && $0 != UInt8(ascii: "\n") }
            let lines = entry[tag.endIndex...]
            all[String(Substring(tag))] = Substring(lines.first == UInt8(ascii: "\n") ? lines.dropFirst() : lines)
        }
    }

    /// The lines of a language or region. They may stand after the name of another one, and are then only those that
    /// differ from its lines, each with its number.
    private static func lines(of tag: String) -> [String]? {
        let own = all[tag]?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let own, let first = own.first, first.utf8.first == UInt8(ascii: "^") else { return own }
        var lines = lines(of: String(first.dropFirst())) ?? []
        for change in own.dropFirst() {
            guard let index = change.utf8.first.map({ Int($0 &- UInt8(ascii: "0")) }), lines.indices.contains(index)
            else { continue }
            lines[index] = String(change.dropFirst(2))
        }
        return lines
    }

    /// The regions that write as another one of their language does, each with that.
    private static let relatives: [String: String] = {
        var relatives: [String: String] = [:]
        for line in LanguageData.relatives.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let parent = words.first?.dropLast(), let language = parent.split(separator: "-").first
            else { continue }
            for region in words.dropFirst() { relatives["\(language)-\(region)"] = String(parent) }
        }
        return relatives
    }()

    static let neutral = LanguageFormat([
        "", "", "", "", "yyyy-MM-dd|yyyy-MM-dd|yyyy-MM-dd|yyyy-MM-dd|HH:mm|HH:mm:ss", "{1} {0}|{1} {0}|{1} {0}|{1} {0}",
        ".|||-|#%", "¤\u{A0}#",
    ])

    // MARK: Days and times

    func day(_ time: LocalDateTime, _ style: DateStyle) -> String { text(time, Self.item(style.index, of: days)) }

    func time(_ time: LocalDateTime, _ style: TimeStyle) -> String {
        text(time, Self.item(style == .short ? 0 : 1, of: times))
    }

    /// A day with its time, without seconds.
    func dayAndTime(_ time: LocalDateTime, _ style: DateStyle) -> String {
        let parts = Self.item(style.index, of: joints).replacing("{1}", with: day(time, style))
        return parts.replacing("{0}", with: self.time(time, .short))
    }

    private static func item(_ index: Int, of list: [String]) -> String { index < list.count ? list[index] : "" }

    private func text(_ time: LocalDateTime, _ pattern: String) -> String {
        var text = ""
        var rest = pattern.utf8[...]
        while let first = rest.first {
            if first == UInt8(ascii: "'") {
                let literal = rest.dropFirst().prefix { $0 != first }
                text += literal.isEmpty ? "'" : String(literal) ?? ""
                rest = rest.dropFirst(literal.count + 2)
            } else if first.isLetter {
                let letters = rest.prefix { $0 == first }
                text += field(first, letters.count, time)
                rest = rest.dropFirst(letters.count)
            } else {
                let literal = rest.prefix { !$0.isLetter && $0 != UInt8(ascii: "'") }
                text += String(literal) ?? ""
                rest = rest.dropFirst(literal.count)
            }
        }
        return text
    }

    private func field(_ letter: UInt8, _ count: Int, _ time: LocalDateTime) -> String {
        let number = { (value: Int) in
            let digits = "\(value)"
            return count > 1 ? String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits : digits
        }
        switch letter {
        case UInt8(ascii: "y"): return number(count == 2 ? time.date.year % 100 : time.date.year)
        case UInt8(ascii: "M") where count > 2:
            return Self.item(time.date.month - 1, of: count == 3 ? shortMonths : months)
        case UInt8(ascii: "M"): return number(time.date.month)
        case UInt8(ascii: "d"): return number(time.date.day)
        case UInt8(ascii: "E"): return Self.item(time.date.weekday - 1, of: weekdays)
        case UInt8(ascii: "H"): return number(time.hour)
        case UInt8(ascii: "h"): return number((time.hour + 11) % 12 + 1)
        case UInt8(ascii: "m"): return number(time.minute)
        case UInt8(ascii: "s"): return number(time.second)
        case UInt8(ascii: "a"): return Self.item(time.hour / 12, of: halves)
        default: return ""
        }
    }

    // MARK: Numbers

    /// A number with its digits in groups.
    func number(_ number: DecimalNumber) -> String {
        (number.isNegative ? minus : "") + size(of: number, decimalSign, groupSign)
    }

    /// A number without its sign.
    private func size(of number: DecimalNumber, _ decimalSign: String, _ groupSign: String) -> String {
        let whole = number.whole
        var text = ""
        let isGrouped = whole.utf8.count >= leastGroupedDigits
        for (index, digit) in whole.utf8.enumerated() {
            if isGrouped, index > 0, (whole.utf8.count - index) % 3 == 0 { text += groupSign }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return number.fraction.isEmpty ? text : text + decimalSign + number.fraction
    }

    /// A share of 1 in hundredths, which a number has already.
    func percent(_ number: DecimalNumber) -> String {
        (number.isNegative ? minus : "")
            + percent.replacing("#", with: size(of: number, decimalSign, groupSign))
    }

    /// An amount of money, which has its decimals already, with the sign of its currency (ISO 4217).
    func currency(_ number: DecimalNumber, _ code: String) -> String {
        money.text(size(of: number, money.decimalSign, money.groupSign), code, isNegative: number.isNegative)
    }

    /// A number without groups, as a person finds it in a field of a form.
    func input(_ number: DecimalNumber) -> String {
        let sign = number.isNegative ? "-" : ""
        return sign + number.whole + (number.fraction.isEmpty ? "" : decimalSign + number.fraction)
    }
}

/// The length of a day in words: `Thursday, November 26, 2026` (`full`), `November 26, 2026` (`long`), `Nov 26, 2026`
/// (`medium`) or `11/26/26` (`short`).
public enum DateStyle: String, Sendable, CaseIterable {
    /// The day with its weekday.
    case full
    /// The day with the name of its month.
    case long
    /// The day with a short name or the number of its month.
    case medium
    /// The day in figures, as short as is usual.
    case short

    fileprivate var index: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// The length of a time: `9:30 AM` (`short`) or `9:30:15 AM` (`medium`).
public enum TimeStyle: String, Sendable, CaseIterable {
    /// The time without seconds.
    case short
    /// The time with its seconds.
    case medium
}
