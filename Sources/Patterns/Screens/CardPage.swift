/// A text with some buttons, for the small screens of the documents.
package struct CardPage: Screen {
    package static let template = "card"

    package var title: String
    package var text = ""
    package var errorMessage: String?
    package var buttons: [CardButton]
    /// The coordinators that are at work, from the root down; nil where a pattern has none.
    package var coordinators: String?

    package init(title: String, buttons: [CardButton]) {
        self.title = title
        self.buttons = buttons
    }
}
