/// A screen. It fills in a page, which is drawn when all that happened to the view is over, as a phone
/// draws its views.
package protocol ViewController: AnyObject {
    associatedtype Page: Screen

    var page: Page { get }
}
