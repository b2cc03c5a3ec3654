// swift-tools-version: 6.2

// What other people publish for Roost: middleware and controllers in a package of their own, built against the public
// API only. `.ci/alone` builds and tests it.

import PackageDescription

/// The name of the folder that Roost is in, by which SwiftPM knows a package with a path.
let roost = Context.packageDirectory.split(separator: "/").dropLast(2).last.map { String($0) } ?? "roost"

let package = Package(
    name: "Neighbour",
    products: [.library(name: "Neighbour", targets: ["Neighbour"])],
    dependencies: [.package(path: "../..")],
    targets: [
        .target(
            name: "Neighbour",
            dependencies: [.product(name: "Roost", package: roost)],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "NeighbourTests",
            dependencies: ["Neighbour", .product(name: "RoostTesting", package: roost)],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ]
)
