import Kernels
import Testing

/// Sub-pixel refinement of rows. Kernel cases compare the levels.
@Suite struct FlowTests {
    private static let levels = [Int32(VFX_CPU_C), vfx_cpu_detect()]

    /// Ranges of the random state of a row.
    enum State: CaseIterable {
        case usual, still, alone, farApart, huge, tiny

        func motion(_ random: inout Random) -> Float {
            switch self {
            case .usual, .alone: Float(random.in(-2048...2048)) / 32
            case .still: 0
            case .farApart: random.next() & 1 == 0 ? -1008 : 1008
            case .huge: (random.next() & 1 == 0 ? -1 : 1) * Float(random.in(1...1000)) * 1e17
            case .tiny: Float(random.in(-5000...5000)) * .leastNonzeroMagnitude
            }
        }

        func support(own: Bool, _ random: inout Random) -> Float {
            if !own, self == .alone || random.in(0...3) == 0 { return 0 }
            return self == .tiny ? 1e-30 : 0.02 + Float(random.in(0...1000)) / 1000
        }
    }

    @Test(arguments: levels, seeds) func averageIsFinite(_ level: Int32, _ seed: UInt64) {
        let average = vfx_kernels_make(level).flow_average_row
        var random = Random(seed: seed)
        let memory = (0..<5).map { _ in GuardedMemory(size: 1 << 15) }
        for columns in widths where columns <= 641 {
            for state in State.allCases {
                let pitch = columns + 2
                let isOwn = (0..<3 * pitch).map { (pitch + 1..<2 * pitch - 1).contains($0) }
                func plane(_ i: Int, _ values: [Float]) -> UnsafePointer<Float> {
                    UnsafePointer(memory[i].array(values)) + pitch + 1
                }
                var row = vfx_flow_row(
                    vx: plane(0, isOwn.map { _ in state.motion(&random) }),
                    vy: plane(1, isOwn.map { _ in state.motion(&random) }),
                    brightness: plane(2, isOwn.map { _ in Float(random.in(0...1020)) / 4 }),
                    support: plane(3, isOwn.map { state.support(own: $0, &random) }),
                    difference: plane(4, isOwn.map { _ in Float(random.in(0...20000)) / 64 }), stride: pitch)
                var x = [Float](repeating: .nan, count: columns), y = x
                average(&row, &x, &y, Int32(columns))
                #expect((x + y).allSatisfy { $0.isFinite }, "\(columns) cells, \(state), seed \(seed)")
            }
        }
    }

    /// Uniform motion stays the same, a neighbour without support is ignored, and a dissimilar one has little weight.
    @Test(arguments: levels) func averageFollowsLikeNeighbours(_ level: Int32) {
        let average = vfx_kernels_make(level).flow_average_row
        func mean(_ set: (inout [[Float]]) -> Void) -> (x: Float, y: Float) {
            // vx, vy, brightness, support, difference of 3×3 cells.
            var s: [[Float]] = [4.5, -2.25, 100, 0.5, 1].map { Array(repeating: $0, count: 9) }
            set(&s)
            var x: Float = 0, y: Float = 0
            s[0].withUnsafeBufferPointer { vx in
                s[1].withUnsafeBufferPointer { vy in
                    s[2].withUnsafeBufferPointer { b in
                        s[3].withUnsafeBufferPointer { support in
                            s[4].withUnsafeBufferPointer { d in
                                guard let vx = vx.baseAddress, let vy = vy.baseAddress, let b = b.baseAddress,
                                    let support = support.baseAddress, let d = d.baseAddress
                                else { return }
                                var row = vfx_flow_row(
                                    vx: vx + 4, vy: vy + 4, brightness: b + 4, support: support + 4, difference: d + 4,
                                    stride: 3)
                                average(&row, &x, &y, 1)
                            }
                        }
                    }
                }
            }
            return (x, y)
        }
        let same = mean { _ in }
        #expect(abs(same.x - 4.5) < 1e-5 && abs(same.y + 2.25) < 1e-5)
        let unsupported = mean {
            $0[0][0] = 4
            $0[3][0] = 0
        }
        #expect(abs(unsupported.x - 4.5) < 1e-5)
        let near = mean { $0[0][1] = 4 }, far = mean { $0[0][1] = -60 }
        let edge = mean {
            $0[0][1] = 4
            $0[2][1] = 200
        }
        let doubtful = mean {
            $0[0][1] = 4
            $0[4][1] = 60
        }
        // An eighth of the weight, and slightly more where the cell's own support is halved.
        #expect((0.05...0.07).contains(same.x - near.x), "\(near)")
        #expect(same.x - far.x > 0 && same.x - far.x < 0.01, "\(far)")
        #expect(same.x - edge.x > 0 && same.x - edge.x < 0.001, "\(edge)")
        #expect(same.x - doubtful.x > 0 && same.x - doubtful.x < 0.001, "\(doubtful)")
    }

    /// Vectors and costs survive the way to samples and back.
    @Test(arguments: levels, seeds) func loadAndStore(_ level: Int32, _ seed: UInt64) {
        let table = vfx_kernels_make(level)
        var random = Random(seed: seed)
        for columns in widths {
            let vectors = (0..<columns).map { _ in
                vfx_motion_vector(x: Int16(random.in(-32256...32256)), y: Int16(random.in(-32256...32256)))
            }
            let costs = (0..<columns).map { _ in UInt32(random.in(0...64 * 255 * 4)) }
            var x = [Float](repeating: 0, count: columns), y = x, d = x
            table.flow_load_row(vectors, costs, &x, &y, &d, Int32(columns))
            #expect(zip(vectors, zip(x, y)).allSatisfy { Float($0.x) == $1.0 * 32 && Float($0.y) == $1.1 * 32 })
            var back = [vfx_motion_vector](repeating: vfx_motion_vector(), count: columns)
            var backCosts = [UInt32](repeating: 0, count: columns)
            table.flow_store_row(x, y, d, &back, &backCosts, Int32(columns))
            #expect(zip(back, vectors).allSatisfy { $0.x == $1.x && $0.y == $1.y }, "\(columns) cells, seed \(seed)")
            #expect(backCosts == costs, "\(columns) cells, seed \(seed)")
        }
    }

    /// The error is the length of the sum of a vector and the opposite one, rounded down and limited.
    @Test(arguments: levels) func consistency(_ level: Int32) {
        let vectors = [(3, 4), (-3, 4), (20, -21), (1, 1), (0, 0), (32767, 0), (-32768, -32768), (32767, 32767)]
            .map { vfx_motion_vector(x: $0.0, y: $0.1) }
        func errors(back: vfx_motion_vector) -> [UInt16] {
            var errors = [UInt16](repeating: 7, count: vectors.count)
            let field = [vfx_motion_vector](repeating: back, count: 2 * vectors.count)
            vfx_kernels_make(level).flow_consistency_row(vectors, field, Int32(vectors.count), 2, 1, &errors)
            return errors
        }
        #expect(errors(back: vfx_motion_vector()) == [5, 5, 29, 1, 0, 32767, 46340, 46339])
        #expect(errors(back: vfx_motion_vector(x: 32767, y: 32767))[7] == 65535)
    }

    @Test(arguments: levels, seeds) func stepsAreAtMostOneSample(_ level: Int32, _ seed: UInt64) {
        let solve = vfx_kernels_make(level).flow_solve_row
        var random = Random(seed: seed)
        for columns in widths {
            for state in State.allCases where state != .huge {
                let patches = (0..<columns).map { _ in Self.patch(state, &random) }
                let sampled =
                    (0..<2 * columns).map { _ in state.motion(&random) }
                    + (0..<columns).map { _ in [0, 0.25, 1, Float(random.in(0...64)) / 64][random.in(0...3)] }
                let cells = (0..<columns).map { _ in Self.equation(state, &random) }
                let equations = (0..<5).flatMap { i in cells.map { $0[i] } }
                let meanX = (0..<columns).map { _ in state.motion(&random) }
                let meanY = (0..<columns).map { _ in state.motion(&random) }
                var x = [Float](repeating: .nan, count: columns), y = x, d = x
                solve(patches, sampled, equations, meanX, meanY, &x, &y, &d, Int32(columns), 100)
                let steps = zip(x + y, sampled).map { abs($0 - $1) }
                #expect(steps.allSatisfy { $0 <= 1.001 }, "\(columns) cells, \(state), seed \(seed)")
            }
        }
    }

    /// Random sums, up to those of 64 samples with the highest contrast.
    private static func patch(_ state: State, _ random: inout Random) -> vfx_flow_residual {
        let most = state == .farApart ? 64 * 4080 * 255 : state == .still ? 0 : 400_000
        func sum(_ most: Int) -> Int32 { Int32(random.in(-most...most)) }
        return vfx_flow_residual(dx: sum(most), dy: sum(most), d: sum(most / 255), abs: abs(sum(most / 255)))
    }

    /// The matrix (xx, xy, yy) and the sums of slopes (x, y).
    private static func equation(_ state: State, _ random: inout Random) -> [Float] {
        switch state {
        case .still: return [0, 0, 0, 0, 0]
        case .farApart:
            let most: Float = 64 * 255 * 255 / 4
            return [most, random.next() & 1 == 0 ? most : -most, most, 16320, -16320]
        default:
            let xx = Float(random.in(0...200_000)), yy = Float(random.in(0...200_000))
            let share = Float(random.in(-100...100)) / 100
            return [
                xx, share * (xx * yy).squareRoot(), yy, Float(random.in(-16320...16320)),
                Float(random.in(-16320...16320)),
            ]
        }
    }

    /// Outside the target the residual has no weight, so the cell follows its neighbours; inside, it moves against the
    /// slope.
    @Test(arguments: levels) func solveFollowsTheSlope(_ level: Int32) {
        func solve(dx: Int32, inside: Float, mean: Float) -> (v: Float, difference: Float) {
            var patch = vfx_flow_residual(dx: dx, dy: 0, d: 0, abs: 1024)
            let sampled = [3, 0, inside], equation: [Float] = [10000, 0, 10000, 0, 0]
            var mean = mean, still: Float = 0, vx: Float = 0, vy: Float = 0, difference: Float = 0
            vfx_kernels_make(level).flow_solve_row(
                &patch, sampled, equation, &mean, &still, &vx, &vy, &difference, 1, 100)
            return (vx, difference)
        }
        #expect(solve(dx: 0, inside: 1, mean: 3).v == 3)
        #expect(solve(dx: 0, inside: 1, mean: 3).difference == 1)
        #expect(solve(dx: 320_000, inside: 0, mean: 3.25).v == 3.25)
        #expect(solve(dx: 0, inside: 0, mean: 3).difference == 33)
        // The sums are 32 times those of an error of one grey level with true slopes.
        let step = solve(dx: 32 * 5000, inside: 1, mean: 3).v
        #expect(abs(step - 2.5) < 0.02, "\(step)")
        #expect(solve(dx: 32 * 1_000_000, inside: 1, mean: 3).v == 2)
    }
}
