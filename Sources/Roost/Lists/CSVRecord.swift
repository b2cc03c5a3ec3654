/// A line of a table as it was sent: its fields, which may have line breaks themselves.
struct CSVRecord: Equatable {
    /// The number of the line on which it begins, from 1.
    let line: Int
    var fields: [String]
    /// The numbers of the fields that are not UTF-8, from 1.
    var invalid: [Int] = []
}
