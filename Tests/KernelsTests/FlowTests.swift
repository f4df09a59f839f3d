import Kernels
import Testing

/// Sub-pixel refinement of rows. Floats are compared bit by bit, since the contract promises the same bits on every
/// level.
@Suite struct FlowTests {
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

    /// One array of the state, in which only the row and its neighbours are readable.
    private static func plane(_ memory: GuardedMemory, _ columns: Int, gap: Int, upward: Bool, edge: GuardedMemory.Edge)
        -> GuardedPlane<UInt32>
    {
        GuardedPlane(memory, columns: -1..<columns + 1, rows: -1..<2, gap: gap, upward: upward, edge: edge)
    }

    private static func floats(_ plane: GuardedPlane<UInt32>) -> UnsafePointer<Float> {
        UnsafeRawPointer(plane.origin).assumingMemoryBound(to: Float.self)
    }

    private static func floats(_ pointer: UnsafeMutablePointer<UInt32>) -> UnsafeMutablePointer<Float> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Float.self)
    }

    @Test(arguments: KernelLevel.with("flow_average_row"), seeds) func average(_ level: KernelLevel, _ seed: UInt64)
        throws
    {
        let tables = try level.tables(for: "flow_average_row")
        var random = Random(seed: seed)
        let memory = (0..<5).map { _ in GuardedMemory(size: 1 << 15) }
        for columns in widths where columns <= 641 {
            for state in State.allCases {
                let gap = random.in(0...9), upward = random.in(0...2) == 0
                let edge: GuardedMemory.Edge = random.next() & 1 == 0 ? .before : .after
                let planes = memory.map { Self.plane($0, columns, gap: gap, upward: upward, edge: edge) }
                for y in -1...1 {
                    for x in -1...columns {
                        let i = y * planes[0].stride + x
                        let values = [
                            state.motion(&random), state.motion(&random), Float(random.in(0...1020)) / 4,
                            state.support(own: y == 0 && x >= 0 && x < columns, &random),
                            Float(random.in(0...2) == 0 ? 0 : random.in(0...20000)) / 64,
                        ]
                        for (plane, value) in zip(planes, values) { plane.origin[i] = value.bitPattern }
                    }
                }
                var row = vfx_flow_row(
                    vx: Self.floats(planes[0]), vy: Self.floats(planes[1]), brightness: Self.floats(planes[2]),
                    support: Self.floats(planes[3]), difference: Self.floats(planes[4]), stride: planes[0].stride)
                let misalignment = random.in(0...7)
                func run(_ kernel: vfx_flow_average_row_fn) -> [Destination<UInt32>] {
                    var x = Destination<UInt32>(width: columns, misalignment: misalignment), y = x
                    x.write { mx, _ in
                        y.write { my, _ in kernel(&row, Self.floats(mx), Self.floats(my), Int32(columns)) }
                    }
                    return [x, y]
                }
                let wanted = run(tables.c.flow_average_row)
                #expect(run(tables.level.flow_average_row) == wanted, "\(columns) cells, \(state), seed \(seed)")
                #expect(wanted[0].row(0, count: columns).allSatisfy { Float(bitPattern: $0).isFinite }, "\(state)")
            }
        }
    }

    /// Uniform motion stays the same, a neighbour without support is ignored, and a dissimilar one has little weight.
    @Test(arguments: [VFX_CPU_C, vfx_cpu_detect()]) func averageFollowsLikeNeighbours(_ level: vfx_cpu_level) {
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

    /// Vectors survive the way to samples and back; motion is rounded and limited.
    @Test(arguments: KernelLevel.with("flow_load_row"), seeds) func loadAndStore(_ level: KernelLevel, _ seed: UInt64)
        throws
    {
        let tables = try level.tables(for: "flow_load_row"), storing = try level.tables(for: "flow_store_row")
        var random = Random(seed: seed)
        let memory = (0..<4).map { _ in GuardedMemory(size: 1 << 14) }
        for columns in widths {
            let vectors = memory[0].array(
                (0..<columns).map { _ in
                    vfx_motion_vector(x: Int16(random.in(-32256...32256)), y: Int16(random.in(-32256...32256)))
                })
            let costs = memory[1].array((0..<columns).map { _ in UInt32(random.in(0...64 * 255 * 4)) })
            func load(_ kernel: vfx_flow_load_row_fn) -> [Destination<UInt32>] {
                var x = Destination<UInt32>(width: columns), y = x, d = x
                x.write { px, _ in
                    y.write { py, _ in
                        d.write { pd, _ in
                            kernel(
                                vectors, costs, Self.floats(px), Self.floats(py), Self.floats(pd), Int32(columns))
                        }
                    }
                }
                return [x, y, d]
            }
            let state = load(tables.c.flow_load_row)
            #expect(load(tables.level.flow_load_row) == state, "\(columns) cells, seed \(seed)")
            func store(_ kernel: vfx_flow_store_row_fn, _ state: [[Float]]) -> (Destination<Int16>, Destination<UInt32>)
            {
                var v = Destination<Int16>(width: 2 * columns), c = Destination<UInt32>(width: columns)
                v.write { pv, _ in
                    c.write { pc, _ in
                        kernel(
                            memory[2].array(state[0]), memory[3].array(state[1]), state[2],
                            UnsafeMutableRawPointer(pv).assumingMemoryBound(to: vfx_motion_vector.self), pc,
                            Int32(columns))
                    }
                }
                return (v, c)
            }
            let loaded = state.map { $0.row(0, count: columns).map { Float(bitPattern: $0) } }
            let back = store(storing.level.flow_store_row, loaded)
            let backVectors = back.0.row(0, count: 2 * columns)
            for i in 0..<columns {
                #expect(backVectors[2 * i] == vectors[i].x && backVectors[2 * i + 1] == vectors[i].y)
            }
            #expect(back.1.row(0, count: columns) == (0..<columns).map { costs[$0] })
            // Between vectors, halfway between them, and beyond the limit.
            let moved = [0, 1].map { _ in
                (0..<columns).map { _ in Float(random.in(-5000...5000)) / 128 * [1, 50][random.in(0...1)] }
            }
            let between = moved + [(0..<columns).map { _ in Float(random.in(0...100_000)) / 777 }]
            #expect(store(storing.level.flow_store_row, between) == store(storing.c.flow_store_row, between))
        }
    }

    /// Vectors of all lengths, also far out of the field.
    @Test(arguments: KernelLevel.with("flow_consistency_row"), seeds)
    func consistency(_ level: KernelLevel, _ seed: UInt64) throws {
        let tables = try level.tables(for: "flow_consistency_row")
        var random = Random(seed: seed)
        let memory = (0..<2).map { _ in GuardedMemory(size: 1 << 16) }
        for columns in widths where columns <= 641 {
            let rows = random.in(1...12), span = [0, 60, 2000, 32767][random.in(0...3)]
            func vectors(_ count: Int) -> [vfx_motion_vector] {
                (0..<count).map { _ in
                    vfx_motion_vector(x: Int16(random.in(-span...span)), y: Int16(random.in(-span...span)))
                }
            }
            let row = memory[0].array(vectors(columns)), back = memory[1].array(vectors(columns * rows))
            let y = Int32(random.in(0...rows - 1))
            func run(_ kernel: vfx_flow_consistency_row_fn) -> Destination<UInt16> {
                var errors = Destination<UInt16>(width: columns)
                errors.write { e, _ in kernel(row, back, Int32(columns), Int32(rows), y, e) }
                return errors
            }
            let wanted = run(tables.c.flow_consistency_row)
            #expect(run(tables.level.flow_consistency_row) == wanted, "\(columns) cells, seed \(seed)")
        }
    }

    @Test(arguments: KernelLevel.with("flow_solve_row"), seeds) func solve(_ level: KernelLevel, _ seed: UInt64) throws
    {
        let tables = try level.tables(for: "flow_solve_row")
        var random = Random(seed: seed)
        let memory = (0..<5).map { _ in GuardedMemory(size: 1 << 16) }
        for columns in widths {
            for state in State.allCases {
                let patches = memory[0].array((0..<columns).map { _ in Self.patch(state, &random) })
                let sampled = memory[4].array(
                    (0..<2 * columns).map { _ in state.motion(&random) }
                        + (0..<columns).map { _ in
                            [0, 0.25, 1, Float(random.in(0...64)) / 64][random.in(0...3)]
                        })
                let cells = (0..<columns).map { _ in Self.equation(state, &random) }
                let equations = memory[1].array((0..<5).flatMap { i in cells.map { $0[i] } })
                let meanX = memory[2].array((0..<columns).map { _ in state.motion(&random) })
                let meanY = memory[3].array((0..<columns).map { _ in state.motion(&random) })
                let misalignment = random.in(0...7), pull: Float = [100, 1, 1000][random.in(0...2)]
                func run(_ kernel: vfx_flow_solve_row_fn) -> [Destination<UInt32>] {
                    var x = Destination<UInt32>(width: columns, misalignment: misalignment), y = x, d = x
                    x.write { px, _ in
                        y.write { py, _ in
                            d.write { pd, _ in
                                kernel(
                                    patches, sampled, equations, meanX, meanY, Self.floats(px), Self.floats(py),
                                    Self.floats(pd), Int32(columns), pull)
                            }
                        }
                    }
                    return [x, y, d]
                }
                let wanted = run(tables.c.flow_solve_row)
                #expect(run(tables.level.flow_solve_row) == wanted, "\(columns) cells, \(state), seed \(seed)")
                for (i, v) in wanted[0].row(0, count: columns).enumerated() where state != .huge {
                    #expect(abs(Float(bitPattern: v) - sampled[i]) <= 1.001, "a step is at most one sample")
                }
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
    @Test(arguments: [VFX_CPU_C, vfx_cpu_detect()]) func solveFollowsTheSlope(_ level: vfx_cpu_level) {
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
