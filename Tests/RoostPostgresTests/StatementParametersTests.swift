import RoostSQL
import Testing

@testable import RoostPostgres

@Suite(.timeLimit(.minutes(5))) struct StatementParametersTests {
    /// The protocol counts a value's bytes in 32 bits.
    @Test(arguments: [SQLValue.text("1234"), .blob([1, 2, 3, 4])])
    func `a text and a blob that are too long are refused alike`(value: SQLValue) throws {
        #expect(try StatementParameters([value, .null, .text("1")], longest: 5).size == 7)
        #expect(throws: DatabaseError.invalidValue("A value is larger than 2 GiB.")) {
            try StatementParameters([.text("1"), value], longest: 4)
        }
    }
}
