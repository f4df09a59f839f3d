internal import FrameCore

/// The engine for the frames of a session, whose pixel format may change from call to call: another one gets a new engine.
struct EngineOfFormat<Engine> {
    private let make: (PixelFormat) throws -> Engine
    private var latest: (engine: Engine, format: PixelFormat)?

    init(make: @escaping (PixelFormat) throws -> Engine) { self.make = make }

    mutating func engine(for format: PixelFormat) throws -> Engine {
        if let latest, latest.format == format { return latest.engine }
        let fresh = try make(format)
        latest = (fresh, format)
        return fresh
    }
}
