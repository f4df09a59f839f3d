import CommandLineCore
import FrameCore

extension FuzzTarget {
    /// Option values: the first byte selects the kind, the rest is the text.
    static let commandLine = FuzzTarget("options", longestInput: 256) { bytes in
        guard let kind = bytes.first else { return }
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        switch kind % 6 {
        case 0: _ = try OptionValue.phases(text, maximumCount: 255)
        case 1:
            let rate = try OptionValue.frameRate(text, option: "--fps")
            require(rate.isPositive, "the rate \(rate) was accepted")
        case 2: _ = try OptionValue.time(text, option: "--at").description
        case 3: _ = try OptionValue.size(text, option: "--grid", range: 1...100)
        case 4: _ = try OptionValue.whole(text, option: "--count", range: 1...100)
        default:
            let number = try OptionValue.decimal(text, option: "--sigma", range: 0...255)
            require((0...255).contains(number), "the number \(number) was accepted")
        }
    }
}
