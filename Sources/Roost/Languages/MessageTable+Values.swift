import FoundationEssentials

/// Days, times, numbers and money in words, by the rules of the language (Unicode CLDR). Moments are shown in the
/// ``timeZone``.
extension MessageTable {
    /// The languages whose formats for days, times and numbers are known, in lower case, including regions such as
    /// `en-gb`. Any other region uses the nearest format of its language; any other language writes days and times as
    /// in ISO 8601, and numbers without groups of digits.
    public static var formattedLanguages: [String] { LanguageFormat.languages }

    /// Returns a day: `Nov 26, 2026`.
    public func date(_ time: some ClockTime, _ style: DateStyle = .medium) -> String {
        format.day(time.localTime(in: timeZone), style)
    }

    /// Returns a time of day: `9:30 AM`.
    public func time(_ time: some ClockTime, _ style: TimeStyle = .short) -> String {
        format.time(time.localTime(in: timeZone), style)
    }

    /// Returns a day and its time, without seconds: `Nov 26, 2026, 9:30 AM`.
    public func dateTime(_ time: some ClockTime, _ style: DateStyle = .medium) -> String {
        format.dayAndTime(time.localTime(in: timeZone), style)
    }

    /// Returns a number with its digits in groups: `1,234.5`.
    /// - Parameter decimals: The number of decimals, at most 9; nil for those that the number has, at most three.
    public func number(_ number: some Numeric & CustomStringConvertible, decimals: Int? = nil) -> String {
        let decimals = decimals.map { min(max($0, 0), ValueFormat.mostDecimals) }
        return text(of: number.description, as: .number(decimals: decimals)) ?? number.description
    }

    /// Returns a fraction of 1 as a percentage: `25%` for 0.25.
    public func percent(_ share: some Numeric & CustomStringConvertible, decimals: Int = 0) -> String {
        let decimals = min(max(decimals, 0), ValueFormat.mostDecimals)
        return text(of: share.description, as: .percent(decimals: decimals)) ?? share.description
    }

    /// Returns an amount of money with the sign of its currency: `€1,234.50`. It has as many decimals as the currency.
    /// - Parameter code: The code of the currency (ISO 4217), such as `EUR`. One that the language has no sign for is
    ///   shown by its code.
    public func currency(_ amount: some Numeric & CustomStringConvertible, _ code: String) -> String {
        text(of: amount.description, as: .currency(code)) ?? amount.description
    }

    /// Returns a value as a format has it.
    /// - Parameter value: The text of the value, as templates and ``Sentence`` have it.
    /// - Returns: nil for a value that cannot be written so.
    func text(of value: String, as form: ValueFormat) -> String? {
        switch form {
        case .date(let style): localTime(value, orDay: true).map { format.day($0, style) }
        case .time(let style): localTime(value).map { format.time($0, style) }
        case .dateTime(let style): localTime(value).map { format.dayAndTime($0, style) }
        case .number(let decimals):
            DecimalNumber(value).map { number in
                format.number(number.rounded(to: decimals.map { $0...$0 } ?? ValueFormat.usualDecimals))
            }
        case .currency(let code):
            DecimalNumber(value).map { number in
                let decimals = MoneyFormat.decimals(of: code)
                return format.currency(number.rounded(to: decimals...decimals), code)
            }
        case .percent(let decimals):
            DecimalNumber(value).map { format.percent($0.inHundredths.rounded(to: decimals...decimals)) }
        }
    }

    /// The local time that a text means.
    /// - Parameter orDay: Whether the text may be a day alone.
    private func localTime(_ text: String, orDay: Bool = false) -> LocalDateTime? {
        if let moment = DateTime.parse(text) { return moment.localTime(in: timeZone) }
        return !orDay && LocalDate(text) != nil ? nil : LocalDateTime(text)
    }
}
