/// An effect that can use motion that was found before it.
protocol MotionUser: ClipEffect {}

extension MotionBlurPass: MotionUser {}
extension FrameRateConversionPass: MotionUser {}
