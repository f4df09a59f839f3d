import ArgumentParser
import Foundation
import FrameCore
import FrameEffects
import Motion

@main
struct DeinterlaceData: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vfx-deinterlacedata",
        abstract: "Write what the network of the deinterlacer sees, for its training.",
        discussion: """
            Reads successive progressive frames, 8-bit luma planes, from standard input. Every second row of each, in turns, \
            makes a field. For each field but the first two and the last two, a record and the plane itself are written \
            to standard output.
            """)

    @Option(help: "Width of the planes: a multiple of 16.") var width: Int
    @Option(help: "Height of the planes: a multiple of 8, from 16.") var height: Int
    @Option(help: "Parity of the first field: 0 for the even rows, 1 for the odd ones.") var parity = 0
    @Option(help: "Pyramid level at which the motion search ends.") var level = 0
    @Option(help: "Rounds of refinement at that level.") var refinements = 2
    @Option(help: "Rounds of refinement on the next coarser level.") var coarseRefinements = 2

    func validate() throws {
        guard width >= 16, height >= 16, width % 16 == 0, height % 8 == 0 else {
            throw ValidationError(
                "the size is \(width)x\(height); the width must be a multiple of 16, the height one of 8, from 16")
        }
        guard (0...1).contains(parity) else { throw ValidationError("the parity is \(parity); it must be 0 or 1") }
    }

    func run() throws {
        let effort = MotionEffort(finestLevel: level, refinements: refinements, coarseRefinements: coarseRefinements)
        var fields: [(frame: PixelBuffer, parity: Int)] = [], next = parity
        while let plane = try plane() {
            fields.append((plane, next))
            next = 1 - next
            guard fields.count >= 5 else { continue }
            if fields.count > 5 { fields.removeFirst() }
            var record = try DeinterlacerRecord.bytes(fields, effort: effort, context: .serial)
            fields[2].frame.withPlanes { planes in
                for y in 0..<height { record += UnsafeRawBufferPointer(start: planes[0].row(y), count: width) }
            }
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
