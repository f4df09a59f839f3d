internal import ArgumentParser

/// How several inputs are found and their outputs named.
struct BatchOptions: ParsableArguments {
    @Flag(help: "Search input folders and their subfolders for videos.")
    var recursive = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Text to add to each name, such as -clean; with a dot, also the new extension, such as -clean.mkv or .mkv.",
            valueName: "text"))
    var suffix: String?
}

/// How several inputs are found and their outputs named.
struct BatchSearch: Equatable {
    /// Whether folders are searched for videos with their subfolders.
    var isRecursive = false
    /// What is added to each name; nil for nothing.
    var suffix: String?
}

extension BatchOptions {
    var search: BatchSearch { BatchSearch(isRecursive: recursive, suffix: suffix) }
}
