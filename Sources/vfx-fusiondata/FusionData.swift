import ArgumentParser
import Foundation
import FrameCore
import FrameEffects
import Motion

@main
struct FusionData: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vfx-fusiondata", abstract: "Write what the fusion network sees, for its training.",
        discussion: """
            Reads groups of four successive frames, 8-bit luma planes, from standard input and writes one record for the \
            two in the middle of each to standard output; a pair without usable motion becomes a record of zeros.
            """)

    @Option(help: "Width of the planes: a multiple of 4, from 16.") var width: Int
    @Option(help: "Height of the planes: a multiple of 4, from 16.") var height: Int
    @Option(help: "Pyramid level at which the motion search ends.") var level = 1
    @Option(help: "Rounds of refinement at that level.") var refinements = 2
    @Option(help: "Rounds of refinement on the next coarser level.") var coarseRefinements = 2
    @Flag(help: "Use the two frames in the middle only.") var pairOnly = false
    @Option(help: "Position between the frames, 0 and 1 excluded.") var phase: Float = 0.5

    func validate() throws {
        guard width >= 16, height >= 16, width % 4 == 0, height % 4 == 0 else {
            throw ValidationError("the size is \(width)x\(height); both must be multiples of 4, from 16")
        }
        guard phase > 0, phase < 1 else { throw ValidationError("the phase is \(phase); it must be between 0 and 1") }
    }

    func run() throws {
        let effort = MotionEffort(
            finestLevel: level, refinements: refinements, coarseRefinements: coarseRefinements)
        let zeros = [UInt8](repeating: 0, count: width * height * 6 + width * height / 4 * 5)
        while let before = try plane(), let first = try plane(), let next = try plane(), let after = try plane() {
            let record =
                try FusionRecord.bytes(
                    first, next, around: pairOnly ? nil : (before, after), effort: effort, phase: phase,
                    context: ExecutionContext(threads: 2)) ?? zeros
            try FileHandle.standardOutput.write(contentsOf: Data(record))
        }
    }

    /// Reads a plane; nil at the end of the input.
    private func plane() throws -> PixelBuffer? {
        var bytes = Data()
        while bytes.count < width * height {
            guard let part = try FileHandle.standardInput.read(upToCount: width * height - bytes.count), !part.isEmpty
            else { return nil }
            bytes += part
        }
        var buffer = try PixelBuffer(
            format: PixelFormat(subsampling: .monochrome, bitDepth: 8), width: width, height: height)
        let width = width, height = height
        try buffer.withOverwrittenPlanes { planes in
            for y in 0..<height {
                bytes.copyBytes(
                    to: UnsafeMutableRawBufferPointer(start: planes[0].row(y), count: width),
                    from: y * width..<(y + 1) * width)
            }
        }
        return buffer
    }
}
