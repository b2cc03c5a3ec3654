package import Roost

/// The entry of MVP-R: its one feature.
package struct MVPRScene: Controller {
    package init() {}

    package func routes(_ routes: Routes) {
        routes.add(LabelScene())
    }
}
