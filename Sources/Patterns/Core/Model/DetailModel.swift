/// What the detail screens of MVC and MVP-R show.
package struct DetailModel: Equatable, Sendable {
    package let name: String
}
