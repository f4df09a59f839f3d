// swift-tools-version: 6.2
import PackageDescription

// Each target lists exactly the modules it may import; CI builds with
// `--explicit-target-dependency-import-check error`, so the arrows of the design are enforced here.
// Warnings are errors there and not for whoever builds with a newer compiler.
let warningsAreErrors = Context.environment["VFX_WARNINGS_AS_ERRORS"] != nil
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
let strictC: [CSetting] = warningsAreErrors ? [.treatAllWarnings(as: .error)] : []

// The fuzz targets want a compiler's run-time library and flags of their own, so `.ci/fuzz` alone builds them.
let fuzzTargets: [Target] =
    Context.environment["VFX_FUZZ"] == nil
    ? []
    : [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "vfx-fuzz",
            dependencies: [
                "CLibFuzzer", "FrameCore", "Motion", "MediaIO", "Pipeline", "Jobs", "Storyboards",
            ],
            path: "Tests/Fuzz/Program", swiftSettings: strict),
    ]

let package = Package(
    name: "FrameEffects",
    products: [
        .library(
            name: "FrameEffects",
            targets: [
                "FrameCore", "Imaging", "Motion", "FrameEffects", "MediaIO", "Pipeline", "Jobs", "FrameAnalysis",
                "Thumbnails", "Storyboards", "Reports",
            ]),
        .executable(name: "vfx", targets: ["vfx"]),
        .executable(name: "vfx-kernelbench", targets: ["vfx-kernelbench"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: [
        .target(name: "Kernels", path: "Kernels", publicHeadersPath: "include", cSettings: strictC),
        .target(name: "FrameCore", dependencies: ["Kernels"], swiftSettings: strict),
        .target(name: "Imaging", dependencies: ["FrameCore", "Kernels"], swiftSettings: strict),
        .target(name: "Motion", dependencies: ["FrameCore", "Kernels"], swiftSettings: strict),
        .target(
            name: "FrameEffects", dependencies: ["FrameCore", "Imaging", "Motion", "Kernels"],
            exclude: ["SuperResolution/Training"], swiftSettings: strict),
        .systemLibrary(
            name: "CLibAV", pkgConfig: "libavformat libavcodec libavfilter libavutil libswresample libswscale",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswscale-dev", "libswresample-dev"])
            ]),
        .target(
            name: "MediaIO",
            dependencies: [
                "FrameCore", "Imaging", "CLibAV", .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(
            name: "Pipeline",
            dependencies: [
                "FrameCore", "Motion", "FrameEffects", .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict),
        .target(name: "FrameAnalysis", dependencies: ["FrameCore", "Imaging", "Motion"], swiftSettings: strict),
        .target(name: "Thumbnails", dependencies: ["FrameCore", "Imaging"], swiftSettings: strict),
        .target(name: "Storyboards", dependencies: ["FrameCore", "Imaging"], swiftSettings: strict),
        .target(name: "Jobs", dependencies: ["FrameCore", "Pipeline"], swiftSettings: strict),
        .target(
            name: "Reports", dependencies: ["FrameCore", "Imaging", "FrameAnalysis", "Storyboards"],
            swiftSettings: strict),
        .executableTarget(
            name: "vfx",
            dependencies: [
                "FrameCore", "Imaging", "Motion", "FrameEffects", "MediaIO", "Pipeline", "Jobs", "FrameAnalysis",
                "Thumbnails", "Storyboards", "Reports",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .executableTarget(
            name: "vfx-kernelbench",
            dependencies: ["Kernels", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: strict),
        .testTarget(name: "KernelsTests", dependencies: ["Kernels"], swiftSettings: strict),
        .testTarget(name: "FrameCoreTests", dependencies: ["FrameCore", "Kernels"], swiftSettings: strict),
        .testTarget(
            name: "ImagingTests", dependencies: ["Imaging", "FrameCore", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "MotionTests", dependencies: ["Motion", "FrameCore", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FrameEffectsTests", dependencies: ["FrameEffects", "Motion", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "MediaIOTests", dependencies: ["MediaIO", "FrameCore", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "PipelineTests", dependencies: ["Pipeline", "FrameEffects", "Motion", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "JobsTests", dependencies: ["Jobs", "Pipeline", "FrameCore", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "FrameAnalysisTests", dependencies: ["FrameAnalysis", "MediaIO", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ThumbnailsTests", dependencies: ["Thumbnails", "MediaIO", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "StoryboardsTests", dependencies: ["Storyboards", "MediaIO", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Reports", "FrameAnalysis", "Storyboards", "MediaIO", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "PortsTests", dependencies: ["FrameEffects", "Motion", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "FrameEffects", "Motion", "FrameCore", "MediaIO", "Pipeline", "Jobs", "FrameAnalysis", "Thumbnails",
                "Storyboards", "Reports", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "vfxTests",
            dependencies: ["vfx", "MediaIO", "Jobs", "Motion", "Thumbnails", "FrameCore", "TestSupport"],
            swiftSettings: strict),
        .target(name: "TestSupport", dependencies: ["FrameCore"], path: "Tests/TestSupport", swiftSettings: strict),
    ] + fuzzTargets,
    swiftLanguageModes: [.v6]
)

// Sanitizers build everything anew: for them the test targets that are named, and no programs.
if let names = Context.environment["VFX_TESTS"]?.split(separator: ",").map(String.init) {
    package.products.removeAll { $0 is Product.Executable }
    package.targets.removeAll { $0.type == .executable || ($0.type == .test && !names.contains($0.name)) }
}
