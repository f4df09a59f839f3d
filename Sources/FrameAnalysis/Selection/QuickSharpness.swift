import FrameCore

/// How sharp a frame is beside its neighbours, from some of its rows and columns: for choosing among frames of one scene.
func quickSharpness(_ buffer: PixelBuffer) -> Float {
    buffer.withPlanes { planes in
        planes.format.bytesPerSample == 1
            ? measure(planes[0], UInt8.self) : measure(planes[0], UInt16.self)
    }
}

/// Crété's measure, the direction that is less sharp: motion blurs one of them.
private func measure<Sample: FixedWidthInteger & UnsignedInteger>(_ plane: Plane, _ type: Sample.Type) -> Float {
    guard plane.width > 24, plane.height > 24 else { return 0 }
    // Steps of pictures larger than a screen are taken over more samples.
    let unit = max(1, max(plane.width, plane.height) / 960)
    let reach = 4 * unit
    var (acrossSteps, acrossLosses, downSteps, downLosses) = (0, 0, 0, 0)
    let lines = max(1, plane.height / 180)
    for y in stride(from: reach + unit, to: plane.height - reach, by: lines) {
        let row = plane.row(y).assumingMemoryBound(to: Sample.self)
        let above = plane.row(y - unit).assumingMemoryBound(to: Sample.self)
        let farAbove = plane.row(y - reach - unit).assumingMemoryBound(to: Sample.self)
        let farBelow = plane.row(y + reach).assumingMemoryBound(to: Sample.self)
        for x in stride(from: reach + unit, to: plane.width - reach, by: unit) {
            let value = Int(row[x])
            let across = 9 &* abs(value &- Int(row[x &- unit]))
            let acrossBlurred = abs(Int(row[x &+ reach]) &- Int(row[x &- reach &- unit]))
            acrossSteps &+= across
            acrossLosses &+= max(0, across &- acrossBlurred)
            let down = 9 &* abs(value &- Int(above[x]))
            let downBlurred = abs(Int(farBelow[x]) &- Int(farAbove[x]))
            downSteps &+= down
            downLosses &+= max(0, down &- downBlurred)
        }
    }
    let floor = 1 + acrossSteps / 64 + downSteps / 64
    return min(Float(acrossLosses) / Float(acrossSteps + floor), Float(downLosses) / Float(downSteps + floor))
}
