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
        let equations = UnsafeMutablePointer<vfx_flow_equation>.allocate(capacity: columns)
        equations.initialize(repeating: vfx_flow_equation(xx: 4000, xy: 300, yy: 2500, x: 40, y: -30), count: columns)
        let patches = UnsafeMutablePointer<vfx_flow_residual>.allocate(capacity: columns)
        patches.initialize(
            repeating: vfx_flow_residual(dx: 900, dy: -400, d: 60, abs: 3000, at_x: 3, at_y: -1, inside: 1),
            count: columns
        )
        let bytes = bytes
        func workload(_ name: String, _ run: @escaping (_ row: Int) -> Void) -> Workload {
            Workload(name: name, unit: "cell", units: columns) { run($0 % rows) }
        }
        func first(_ row: Int) -> Int { (row + 1) * pitch + 1 }
        return [
            workload("flow_prepare_row") {
                t.flow_prepare_row(
                    bytes[0] + (4 + $0) * stride + 64, stride, Int32(columns), t.lk_structure_tensor_8x8, equations,
                    outX, outY)
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
                    bytes[0] + (16 + $0 % 16 * 4) * stride + 64, stride, &target, Int32($0 % 16), Int32(columns),
                    vx + first($0), vy + first($0), t.lk_residual_8x8, patches)
            },
            workload("flow_solve_row") {
                t.flow_solve_row(
                    patches, equations, vx + first($0), vy + first($0), outX, outY, outD, Int32(columns), 100)
            },
        ]
    }
}
