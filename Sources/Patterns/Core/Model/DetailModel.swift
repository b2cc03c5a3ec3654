/// The content of the detail screens of MVC and MVP-R.
package struct DetailModel: Equatable, Sendable {
    package let name: String
}
