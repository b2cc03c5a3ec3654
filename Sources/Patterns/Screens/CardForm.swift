/// The form of a ``CardPage``, with the button that was pressed.
package struct CardForm: Decodable, Sendable {
    package let action: CardButton
}
