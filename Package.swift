// swift-tools-version: 6.2
import PackageDescription

// Each target lists exactly the modules it may import. CI builds with
// `--explicit-target-dependency-import-check error`, so this enforces the module graph.
// Warnings are errors only in CI, not for users who build with a newer compiler.
let warningsAreErrors = Context.environment["VFX_WARNINGS_AS_ERRORS"] != nil
let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
let strictC: [CSetting] = warningsAreErrors ? [.treatAllWarnings(as: .error)] : []

// The fuzz targets need a compiler run-time library and special flags, so only `.ci/sanitized` builds them.
let fuzzTargets: [Target] =
    Context.environment["VFX_FUZZ"] == nil
    ? []
    : [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "vfx-fuzz",
            dependencies: [
                "CLibFuzzer", "CommandLineCore", "Pipeline", "MediaIO", "Storyboards", "FrameEffects", "Motion",
                "Jobs", "FrameCore",
            ],
            path: "Tests/Fuzz/Program", swiftSettings: strict),
    ]

// The C library is linked with the whole standard library, so it leaves out what needs Foundation: JSON and job folders.
// `Sources/CVFX/install` sets this.
let isCLibrary = Context.environment["VFX_C_LIBRARY"] != nil

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")

// From the kernels upwards, each target with the modules it imports.
let libraries: [Target] = [
    .target(
        name: "Kernels", path: "Kernels", exclude: ["README.md"], publicHeadersPath: "include", cSettings: strictC),
    .target(name: "FrameCore", dependencies: ["Kernels"], swiftSettings: strict),
    .target(name: "Imaging", dependencies: ["FrameCore", "Kernels"], swiftSettings: strict),
    .target(name: "Motion", dependencies: ["Imaging", "FrameCore", "Kernels"], swiftSettings: strict),
    .target(
        name: "FrameEffects", dependencies: ["Motion", "Imaging", "FrameCore", "Kernels"],
        exclude: ["Deinterlacer/Training", "FrameRateConversion/Training", "SuperResolutionScaler/Training"],
        swiftSettings: strict),
    .target(
        name: "Pipeline", dependencies: ["FrameEffects", "Motion", "Imaging", "FrameCore", deque],
        exclude: isCLibrary ? ["Recipe/EffectRecipe+JSON.swift"] : [], swiftSettings: strict),
    // `vfx.h` and its implementation.
    .systemLibrary(name: "CVFXInterface", path: "Sources/CVFX/include"),
    .target(
        name: "CVFX", dependencies: ["CVFXInterface", "Pipeline", "FrameEffects", "Motion", "FrameCore"],
        exclude: ["include", "install", "link", "vfx.map", "vfx.pc.in"], swiftSettings: strict),
    .systemLibrary(
        name: "CLibAV", pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
        providers: [
            .apt(["libavformat-dev", "libavcodec-dev", "libavfilter-dev", "libswscale-dev", "libswresample-dev"])
        ]),
    .target(
        name: "MediaIO", dependencies: ["Imaging", "FrameCore", "CLibAV", deque], swiftSettings: strict),
    .target(name: "FrameAnalysis", dependencies: ["Motion", "Imaging", "FrameCore"], swiftSettings: strict),
    .target(name: "Thumbnails", dependencies: ["Imaging", "FrameCore", deque], swiftSettings: strict),
    .target(name: "Storyboards", dependencies: ["Imaging", "FrameCore"], swiftSettings: strict),
    .target(
        name: "Reports", dependencies: ["Storyboards", "FrameAnalysis", "Imaging", "FrameCore"],
        swiftSettings: strict),
    .target(name: "CommandLineCore", dependencies: ["FrameCore"], swiftSettings: strict),
    .target(
        name: "Jobs",
        dependencies: [
            "Pipeline", "MediaIO", "Reports", "Storyboards", "FrameAnalysis", "FrameEffects", "Imaging",
            "CommandLineCore", "FrameCore",
        ],
        swiftSettings: strict),
]

let programs: [Target] = [
    .executableTarget(
        name: "vfx",
        dependencies: [
            "CommandLineCore", "Jobs", "Reports", "Storyboards", "Thumbnails", "FrameAnalysis", "MediaIO",
            "Pipeline", "FrameEffects", "Motion", "Imaging", "FrameCore", argumentParser,
        ],
        exclude: ["Install"], swiftSettings: strict),
    .executableTarget(
        name: "vfx-deinterlacedata", dependencies: ["FrameEffects", "Motion", "FrameCore", argumentParser],
        swiftSettings: strict),
    .executableTarget(
        name: "vfx-fusiondata", dependencies: ["FrameEffects", "Motion", "FrameCore", argumentParser],
        swiftSettings: strict),
    .executableTarget(name: "vfx-kernelbench", dependencies: ["Kernels", argumentParser], swiftSettings: strict),
]

// Programs whose output the scripts beside them evaluate. They are always built, so that they follow the modules.
let measurements: [Target] = [
    .executableTarget(
        name: "list-transitions", dependencies: ["Motion", "FrameCore"],
        path: "Tests/Measurements/SceneCuts/ListTransitions", swiftSettings: strict),
    .executableTarget(
        name: "measure-frames", dependencies: ["FrameAnalysis", "Motion", "FrameCore"],
        path: "Tests/Measurements/FrameAnalysis/MeasureFrames", swiftSettings: strict),
]

let tests: [Target] = [
    .target(name: "TestSupport", dependencies: ["FrameCore"], path: "Tests/TestSupport", swiftSettings: strict),
    // Cases in C, which also run on architectures without Swift; `.ci/arm` builds their driver.
    .target(
        name: "KernelCases", dependencies: ["Kernels"], path: "Tests/KernelCases", exclude: ["driver"],
        cSettings: strictC),
    .testTarget(name: "KernelsTests", dependencies: ["KernelCases", "Kernels"], swiftSettings: strict),
    .testTarget(name: "FrameCoreTests", dependencies: ["FrameCore", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "ImagingTests", dependencies: ["Imaging", "FrameCore", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "MotionTests", dependencies: ["Motion", "FrameCore", "TestSupport"], swiftSettings: strict),
    .testTarget(
        name: "FrameEffectsTests", dependencies: ["FrameEffects", "Motion", "Imaging", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    .testTarget(name: "PortsTests", dependencies: ["FrameEffects", "TestSupport"], swiftSettings: strict),
    .testTarget(
        name: "PipelineTests",
        dependencies: ["Pipeline", "FrameEffects", "Motion", "Imaging", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    .testTarget(name: "MediaIOTests", dependencies: ["MediaIO", "FrameCore", "TestSupport"], swiftSettings: strict),
    .testTarget(
        name: "FrameAnalysisTests", dependencies: ["FrameAnalysis", "MediaIO", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "ThumbnailsTests", dependencies: ["Thumbnails", "MediaIO", "Imaging", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "StoryboardsTests", dependencies: ["Storyboards", "MediaIO", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "ReportsTests",
        dependencies: ["Reports", "Storyboards", "FrameAnalysis", "MediaIO", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    .testTarget(
        name: "JobsTests", dependencies: ["Jobs", "Pipeline", "Imaging", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    .testTarget(name: "CommandLineCoreTests", dependencies: ["CommandLineCore", "FrameCore"], swiftSettings: strict),
    .testTarget(
        name: "DocumentationTests",
        dependencies: [
            "Storyboards", "Thumbnails", "FrameAnalysis", "MediaIO", "Jobs", "Pipeline", "FrameEffects",
            "Motion", "FrameCore", "TestSupport",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "vfxTests", dependencies: ["vfx", "Jobs", "MediaIO", "Pipeline", "FrameCore", "TestSupport"],
        swiftSettings: strict),
    // Runs the built program several hundred times; skip it with `swift test --skip ProgramTests`.
    .testTarget(
        name: "ProgramTests",
        dependencies: ["vfx", "CVFX", "MediaIO", "FrameEffects", "Motion", "Jobs", "FrameCore", "TestSupport"],
        swiftSettings: strict),
]

let package = Package(
    name: "FrameEffects",
    products: [
        .library(
            name: "FrameEffects",
            targets: ["FrameEffects", "FrameCore", "Imaging", "Motion", "Pipeline"]),
        .library(name: "MediaIO", targets: ["MediaIO"]),
        .library(name: "Jobs", targets: ["Jobs"]),
        .library(name: "Thumbnails", targets: ["Thumbnails", "FrameAnalysis", "Storyboards", "Reports"]),
        .executable(name: "vfx", targets: ["vfx"]),
        .executable(name: "vfx-kernelbench", targets: ["vfx-kernelbench"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    ],
    targets: libraries + programs + measurements + tests + fuzzTargets,
    swiftLanguageModes: [.v6]
)

// For the fast test loop and the sanitizer builds: keeps only the named test targets and their dependencies.
if let names = Context.environment["VFX_TESTS"]?.split(separator: ",").map(String.init) {
    var wanted = Set(names), open = names
    while let name = open.popLast() {
        for case .byNameItem(let dependency, _) in package.targets.first(where: { $0.name == name })?.dependencies ?? []
        where wanted.insert(dependency).inserted { open.append(dependency) }
    }
    package.targets.removeAll { !wanted.contains($0.name) }
    package.products.removeAll()
}

if isCLibrary {
    package.targets = libraries
    package.products = [.library(name: "CVFX", type: .static, targets: ["CVFX"])]
}
