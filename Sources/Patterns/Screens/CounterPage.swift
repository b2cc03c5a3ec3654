/// A number with a button.
package struct CounterPage: Screen {
    package static let template = "counter"

    package var count = ""

    package init() {}
}
