/// What the form of a ``CardPage`` sends: the button that was pressed.
package struct CardForm: Decodable, Sendable {
    package let action: CardButton
}
