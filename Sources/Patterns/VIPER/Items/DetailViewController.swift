import PatternCore
import PatternScreens

/// The view of the detail.
final class DetailViewController: DetailViewInterface {
    private let navigation: Navigation
    private let eventHandler: any DetailEventHandler

    init(_ navigation: Navigation, eventHandler: any DetailEventHandler) {
        self.navigation = navigation
        self.eventHandler = eventHandler
    }

    func viewDidLoad() {
        eventHandler.populateView()
    }

    func dismissAction() {
        trace()
        eventHandler.dismiss()
    }

    func setMessage(_ message: String) {
        trace()
        var page = CardPage(title: "Detail", buttons: [.cancel])
        page.text = message
        navigation.show("card", page)
    }
}
