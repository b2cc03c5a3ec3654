import PatternCore
import PatternScreens

/// The view of an item.
final class CountViewController: CountViewInterface {
    private let navigation: Navigation
    private let eventHandler: any CountEventHandler
    private var page = CardPage(title: "", buttons: [.detail, .next])

    init(_ navigation: Navigation, eventHandler: any CountEventHandler) {
        self.navigation = navigation
        self.eventHandler = eventHandler
    }

    func viewDidLoad() {
        eventHandler.loadData()
    }

    func showNext() {
        trace()
        eventHandler.showNext()
    }

    func showDetail() {
        trace()
        eventHandler.showDetail()
    }

    func setTitle(_ title: String) {
        trace()
        page.title = title
    }

    func setMessage(_ message: String) {
        trace()
        page.text = message
        navigation.show("card", page)
    }

    func setError(_ message: String) {
        trace()
        page.errorMessage = message
        navigation.show("card", page)
    }
}
