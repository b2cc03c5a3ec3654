// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

let package = Package(
    name: "NAME",
    dependencies: [
        ROOST
    ],
    targets: [
        .executableTarget(
            name: "NAME",
            dependencies: [
                .product(name: "Roost", package: "IDENTITY"),
+ACCOUNTS                .product(name: "RoostAuth", package: "IDENTITY"),
+ACCOUNTS                .product(name: "RoostAuthCommands", package: "IDENTITY"),
                .product(name: "RoostCommands", package: "IDENTITY"),
                .product(name: "RoostSQL", package: "IDENTITY"),
                .product(name: "RoostSQLite", package: "IDENTITY"),
            ],
            resources: [.embedInCode("Migrations")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "NAMETests",
            dependencies: ["NAME", .product(name: "RoostTesting", package: "IDENTITY")],
            swiftSettings: settings
        ),
    ]
)
