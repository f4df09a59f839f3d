import Kernels
import Testing

/// Block kernels: all layouts of the two sources, exact read bounds, all pairs of patterns.
@Suite struct BlockTests {
    struct SAD: Sendable, CustomTestStringConvertible {
        let name: String
        let size: Int
        let function: @Sendable (vfx_kernel_table) -> vfx_sad_fn
        var testDescription: String { name }

        static let all = [
            SAD(name: "sad_4x4", size: 4) { $0.sad_4x4 }, SAD(name: "sad_8x8", size: 8) { $0.sad_8x8 },
            SAD(name: "sad_16x16", size: 16) { $0.sad_16x16 }, SAD(name: "satd_4x4", size: 4) { $0.satd_4x4 },
            SAD(name: "satd_8x8", size: 8) { $0.satd_8x8 },
        ]
    }

    struct Trial {
        var random: Random
        let a: GuardedPlane<UInt8>
        let b: GuardedPlane<UInt8>
    }

    /// Runs `body` on sources with each pair of patterns, each with a random layout.
    static func trials(
        a: (columns: Range<Int>, rows: Range<Int>), b: (columns: Range<Int>, rows: Range<Int>), seed: UInt64,
        repeats: Int = 4,
        _ body: (inout Trial) throws -> Void
    ) rethrows {
        let memoryA = GuardedMemory(size: 16384), memoryB = GuardedMemory(size: 16384)
        var random = Random(seed: seed)
        for patternA in Pattern.allCases {
            for patternB in Pattern.allCases {
                for _ in 0..<repeats {
                    var trial = Trial(
                        random: random, a: GuardedPlane(memoryA, columns: a.columns, rows: a.rows, random: &random),
                        b: GuardedPlane(memoryB, columns: b.columns, rows: b.rows, random: &random))
                    trial.a.fill(patternA, maximum: 255, random: &random)
                    trial.b.fill(patternB, maximum: 255, random: &random)
                    trial.random = random
                    try body(&trial)
                    random = trial.random
                }
            }
        }
    }

    @Test(arguments: SAD.all, KernelLevel.aboveC) func sumOfDifferences(_ sad: SAD, _ level: KernelLevel) throws {
        let tables = try level.tables(for: sad.name)
        let expected = sad.function(tables.c), tested = sad.function(tables.level)
        for seed in seeds {
            Self.trials(a: (0..<sad.size, 0..<sad.size), b: (0..<sad.size, 0..<sad.size), seed: seed) { t in
                #expect(
                    tested(t.a.read, t.a.stride, t.b.read, t.b.stride)
                        == expected(t.a.read, t.a.stride, t.b.read, t.b.stride),
                    "seed \(seed)")
            }
        }
    }

    @Test(arguments: [8, 16], KernelLevel.aboveC) func fourCandidates(_ size: Int, _ level: KernelLevel) throws {
        let tables = try level.tables(for: size == 8 ? "sad_8x8_x4" : "sad_16x16_x4")
        let expected = size == 8 ? tables.c.sad_8x8_x4 : tables.c.sad_16x16_x4
        let tested = size == 8 ? tables.level.sad_8x8_x4 : tables.level.sad_16x16_x4
        for seed in seeds {
            Self.trials(a: (0..<size, 0..<size), b: (-5..<size + 7, -4..<size + 6), seed: seed) { t in
                var offsets = (0..<4).map { _ in t.random.in(-4...6) * t.b.stride + t.random.in(-5...7) }
                offsets[t.random.in(0...3)] = -4 * t.b.stride - 5
                var wanted = Destination<UInt32>(width: 4), got = wanted
                wanted.write { sums, _ in expected(t.a.read, t.a.stride, t.b.read, t.b.stride, offsets, sums) }
                got.write { sums, _ in tested(t.a.read, t.a.stride, t.b.read, t.b.stride, offsets, sums) }
                #expect(got == wanted, "seed \(seed)")
            }
        }
    }
}
