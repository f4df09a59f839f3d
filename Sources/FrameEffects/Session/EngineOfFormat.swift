internal import FrameCore

/// The engine for the frames of a session, whose pixel format may change from call to call: another one gets a new engine.
struct EngineOfFormat<Engine> {
    private var latest: (engine: Engine, format: PixelFormat)?

    mutating func engine(for format: PixelFormat, make: () throws -> Engine) rethrows -> Engine {
        if let latest, latest.format == format { return latest.engine }
        let fresh = try make()
        latest = (fresh, format)
        return fresh
    }
}
