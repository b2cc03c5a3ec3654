/// `Templates/patterns/screens/counter.mustache`
package struct CounterPage: Screen {
    package var count = ""

    package init() {}
}
