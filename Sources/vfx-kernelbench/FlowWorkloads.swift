import Kernels

extension Workloads {
    /// Row kernels of sub-pixel refinement, on rows of cells that cover half of a frame 1920 samples wide.
    func flowRows(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 240, rows = 64, pitch = columns + 2, stride = Self.stride
        func cells(_ value: (Int) -> Float) -> UnsafeMutablePointer<Float> {
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: pitch * (rows + 2))
            for i in 0..<pitch * (rows + 2) { memory[i] = value(i) }
            return memory
        }
        let vx = cells { 3 + Float($0 % 7) * 0.2 }, vy = cells { Float($0 % 5) * 0.3 - 1 }
        let brightness = cells { 90 + Float($0 % 11) }, support = cells { 0.02 + Float($0 % 50) * 0.02 }
        let difference = cells { Float($0 % 13) * 0.5 }
        let outX = cells { _ in 0 }, outY = cells { _ in 0 }, outD = cells { _ in 0 }
        let vectors = memory(columns) { vfx_motion_vector(x: Int16($0), y: -9) }, costs = memory(columns) { UInt32($0) }
        let equations = memory(5 * columns) { [4000, 300, 2500, 40, -30][$0 / columns] as Float }
        let residuals = memory(columns) { vfx_flow_residual(dx: 900 + Int32($0), dy: -400, d: 60, abs: 3000) }
        let sampled = memory(3 * columns) { [3, -1, 1][$0 / columns] as Float }
        let tileRows = (0..<2).map { row in
            memory(48 * (columns + 1)) { Int16(truncatingIfNeeded: ($0 * 7 + row) % 255) }
        }
        var tiles = vfx_flow_tiles(upper: tileRows[0], lower: tileRows[1])
        let field = memory(columns) { vfx_motion_vector(x: Int16($0 % 300) - 90, y: Int16($0 % 37)) }
        let back = memory(columns * rows) { vfx_motion_vector(x: Int16($0 % 100) - 50, y: Int16($0 % 41) - 60) }
        let errors = memory(columns) { _ in UInt16(0) }
        let bytes = bytes
        func workload(_ name: String, _ run: @escaping (_ row: Int) -> Void) -> Workload {
            Workload(name: name, unit: "cell", units: columns) { run($0 % rows) }
        }
        func first(_ row: Int) -> Int { (row + 1) * pitch + 1 }
        return [
            workload("flow_tiles_row") {
                t.flow_tiles_row(
                    bytes[0] + (4 + $0) * stride + 64, stride, Int32(columns + 1), tileRows[$0 & 1])
            },
            workload("flow_prepare_row") { _ in
                t.flow_prepare_row(&tiles, Int32(columns), equations, outX, outY)
            },
            workload("flow_load_row") { t.flow_load_row(vectors, costs, outX, outY, outD + first($0), Int32(columns)) },
            workload("flow_store_row") {
                t.flow_store_row(
                    vx + first($0), vy + first($0), difference + first($0), vectors, costs, Int32(columns))
            },
            workload("flow_average_row") {
                var row = vfx_flow_row(
                    vx: vx + first($0), vy: vy + first($0), brightness: brightness + first($0),
                    support: support + first($0), difference: difference + first($0), stride: pitch)
                t.flow_average_row(&row, outX, outY, Int32(columns))
            },
            workload("flow_measure_row") {
                var target = vfx_warp_source(
                    origin: bytes[1] + 16 * stride + 64, stride: stride, width: Int32(4 * columns), height: 64,
                    margin: 8)
                t.flow_measure_row(
                    &tiles, &target, Int32($0 % 16), Int32(columns), vx + first($0), vy + first($0), residuals, sampled)
            },
            workload("flow_solve_row") {
                t.flow_solve_row(
                    residuals, sampled, equations, vx + first($0), vy + first($0), outX, outY, outD, Int32(columns), 100
                )
            },
            workload("flow_consistency_row") {
                t.flow_consistency_row(field, back, Int32(columns), Int32(rows), Int32($0), errors)
            },
        ]
    }

    /// The forward splat of a smooth field onto a band of 16 rows.
    func splat(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 240, rows = 16, count = columns * rows
        let splat = vfx_splat(
            vectors: memory(count) { vfx_motion_vector(x: 300 + Int16($0 % 7), y: Int16($0 % 5) - 2) },
            errors: memory(count) { UInt16($0 % 30) }, costs: memory(count) { UInt32($0 % 400) },
            columns: Int32(columns), first_row: 0, last_row: Int32(rows), share: 512, negated: 0,
            rank: memory(count) { _ in UInt32(60) }, owner: memory(count) { _ in vfx_motion_vector(x: 302, y: 0) },
            sums: memory(count) { _ in vfx_splat_sum() }, owner_coverage: 3000, error_weight: 4, uncovered_shift: 9,
            difference_shift: 3, agreement: 40, weight_offset: 64, weight_per_error: 4, maximum_error: 2000)
        let passes = [("splat_owner_row", t.splat_owner_row), ("splat_mean_row", t.splat_mean_row)]
        return passes.map { name, pass in
            Workload(name: name, unit: "cell", units: columns) {
                var splat = splat
                if $0 % rows == 0 { splat.sums.update(repeating: vfx_splat_sum(), count: count) }
                pass(&splat, Int32($0 % rows))
            }
        }
    }

    /// The visibility of the cells of rows across a smooth field.
    func visibility(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 120, rows = 68, count = 2 * columns
        let visibility = vfx_visibility(
            forward: memory(columns * rows) { vfx_motion_vector(x: 300 + Int16($0 % 7), y: Int16($0 % 5) - 2) },
            backward: memory(columns * rows) { vfx_motion_vector(x: Int16($0 % 9) - 305, y: Int16($0 % 5) - 2) },
            columns: Int32(columns), rows: Int32(rows), vector_shift: 1, t: 410, half_difference: 4096,
            matched_trust: 0.3, least_trust: 0.001, unseen_trust: 0.0001, agreement: 1024, unexplained_difference: 192,
            unexplained_trust: 0.1, trust_scale: 180, first_only: 26, second_only: 230)
        let vectors = memory(count) { vfx_motion_vector(x: 600 + Int16($0 % 11), y: Int16($0 % 7) - 3) }
        let differences = memory(count) { Int32($0 % 200) }
        let outputs = (0..<5).map { _ in memory(count) { _ in Int16(0) } }
        let row = vfx_visibility_row(
            vx: outputs[0], vy: outputs[1], weight: outputs[2], share: outputs[3], trust: outputs[4])
        return [
            Workload(name: "visibility_row", unit: "cell", units: count) {
                var (visibility, row) = (visibility, row)
                let counts = t.visibility_row(
                    &visibility, Int32($0 % (2 * rows)), vectors, differences, Int32(count), &row)
                keep(UInt32(counts.one_side))
            }
        ]
    }

    /// Subdivision of a field that is rough at a fortieth of its cells.
    func subdivision(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 120, rows = 68, count = 2 * columns
        let field = vfx_subdivision(
            vectors: memory(columns * rows) {
                vfx_motion_vector(x: 300 + Int16($0 % 7) + ($0 % 40 == 0 ? 200 : 0), y: Int16($0 % 5) - 2)
            },
            differences: memory(columns * rows) { Int32($0 % 200) }, columns: Int32(columns), rows: Int32(rows),
            scale: 2, smooth_distance: 32)
        let out = memory(count) { _ in vfx_motion_vector() }, differences = memory(count) { _ in Int32(0) }
        let rough = memory(count) { _ in Int32(0) }
        return [
            Workload(name: "subdivide_row", unit: "cell", units: count) {
                var field = field
                keep(
                    UInt32(t.subdivide_row(&field, Int32($0 % (2 * rows)), Int32(count), out, differences, rough)))
            }
        ]
    }

    /// The vector median of a field with outliers in a fortieth of its cells.
    func vectorMedian(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 240, rows = 135
        let field = vfx_vector_median(
            vectors: memory(columns * rows) {
                vfx_motion_vector(x: 300 + Int16($0 % 7) + ($0 % 40 == 0 ? 200 : 0), y: Int16($0 % 5) - 2)
            },
            columns: Int32(columns), rows: Int32(rows), agreement: 24, few_allies: 4, maximum_distance: 256)
        let out = memory(columns) { _ in vfx_motion_vector() }, changed = memory(columns) { _ in Int32(0) }
        return [
            Workload(name: "vector_median_row", unit: "cell", units: columns) {
                var field = field
                keep(UInt32(t.vector_median_row(&field, Int32($0 % rows), out, changed)))
            }
        ]
    }

    /// The weighted median of a smooth field, and of one with an edge of motion and brightness at every fourth column.
    func flowMedian(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 240, rows = 135, count = columns * rows
        let trust = memory(count) { UInt8(truncatingIfNeeded: 60 + $0 % 190) }
        let similarity = memory(256) { UInt8(255 / (1 + $0 * $0 / 64)) }
        let nearness = memory(25) { UInt8(250 - 30 * (abs($0 % 5 - 2) + abs($0 / 5 - 2))) }
        let out = memory(columns) { _ in vfx_motion_vector() }
        return [("flow_median_row, smooth", 0), ("flow_median_row, rough", 1)].map { name, edge in
            let objects = (0..<count).map { $0 / 4 % 2 * edge }
            let field = vfx_flow_median(
                vectors: memory(count) {
                    vfx_motion_vector(x: Int16(300 + $0 % 7 + 200 * objects[$0]), y: Int16($0 % 5) - 2)
                },
                brightness: memory(count) { UInt8(90 + $0 % 13 + 50 * objects[$0]) }, trust: trust,
                columns: Int32(columns), rows: Int32(rows), smooth_distance: 16, brightness_weight: similarity,
                place_weight: nearness)
            return Workload(name: name, unit: "cell", units: columns) {
                var field = field
                t.flow_median_row(&field, Int32($0 % rows), out)
            }
        }
    }

    /// Bilateral matching of rows of cells with smooth motion, and of cells at rest.
    func bilateralMatch(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 240
        func source(_ bytes: UnsafeMutablePointer<UInt8>) -> vfx_warp_source {
            vfx_warp_source(
                origin: bytes + 12 * Self.stride + 64, stride: Self.stride, width: Int32(4 * columns), height: 64,
                margin: 8)
        }
        let match = vfx_bilateral_match(
            a: source(bytes[0]), b: source(bytes[1]), t: 410, cell_log2: 2, outside_difference: 64, free_overhang: 128,
            ramp_log2: 7)
        let differences = memory(columns) { _ in Int32(0) }
        return [("bilateral_match_row", Int16(1)), ("bilateral_match_row, at rest", 0)].map { name, scale in
            let cells = memory(columns) {
                vfx_matched_cell(
                    x: Int32($0), v: vfx_motion_vector(x: scale * (90 + Int16($0 % 7)), y: scale * Int16($0 % 9)))
            }
            return Workload(name: name, unit: "cell", units: columns) {
                var match = match
                t.bilateral_match_row(&match, Int32($0 % 16), cells, Int32(columns), differences)
            }
        }
    }

    /// The occlusion fill of a field with holes in a tenth of its cells.
    func occlusionFill(_ t: vfx_kernel_table) -> [Workload] {
        let columns = 240, rows = 135, pitch = columns + 2, count = pitch * (rows + 2)
        let vectors = memory(columns * rows) { vfx_motion_vector(x: Int16($0 % 97), y: Int16($0 % 89)) }
        let errors = memory(columns) { UInt16($0 % 10 == 0 ? 40 : 3) }
        let brightness = memory(count) { UInt8(truncatingIfNeeded: 90 + $0 % 13) }
        let cells = (0..<columns * rows).filter { $0 % columns % 80 < 8 }.map { ($0 % columns, $0 / columns) }
        let indices = cells.map { Int32(($0.1 + 1) * pitch + $0.0 + 1) }
        let holes = memory(cells.count) {
            vfx_fill_hole(at: Int32(cells[$0].1 * columns + cells[$0].0), bordered: indices[$0])
        }
        let reached = memory(count) { _ in Int32(0) }, found = memory(columns) { _ in vfx_fill_hole() }
        let means = memory(cells.count) { _ in vfx_motion_vector() }
        let field = vfx_fill_field(
            vectors: vectors, brightness: brightness, distance: reached, columns: Int32(columns), rows: Int32(rows))
        return [
            Workload(name: "fill_find_row", unit: "cell", units: columns) { _ in
                keep(
                    UInt32(
                        t.fill_find_row(
                            vectors, errors, 9, Int32(columns), Int32(128 * columns), Int32(128 * rows), 12, found,
                            reached + 10 * pitch)))
            },
            Workload(name: "fill_sweep", unit: "hole", units: cells.count) {
                var cells = field
                for index in indices { reached[Int(index)] = VFX_FILL_UNREACHED }
                t.fill_sweep(&cells, holes, Int32(indices.count), $0 & 1 == 0 ? -1 : 1, 5, 7)
            },
            Workload(name: "fill_smooth", unit: "hole", units: cells.count) { _ in
                var cells = field
                t.fill_smooth(&cells, holes, Int32(indices.count), 2, 16, means)
            },
        ]
    }
}
