import FrameCore
import FrameEffects
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct PipelineMemoryTests {
    /// A slow sink lets the queues fill: no more source frames are alive than the bound allows, however long the clip
    /// is.
    @Test(arguments: [2, 40])
    func livingFramesAreBounded(factor: Int) throws {
        for count in [60, 240] {
            let living = LivingPictures()
            let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
            let sink = RecordingSink(keepsFrames: false, onWrite: { if $0 < 200 { usleep(500) } })
            let pipeline = try ConversionPipeline(
                source: GeneratedSource(count: count) { _ in living.counted(picture) }, sink: sink,
                plan: SlowMotionPlan(factor: factor), options: ConversionOptions(), finder: ScriptedTransitions())
            let bound = try pipeline.memoryBound.frames
            let report = try pipeline.run()
            #expect(report.framesRead == count)
            #expect(living.made == count)
            #expect(living.peak <= bound)
            #expect(living.alive == 0)
        }
    }

    /// The bound also holds for sources faster than every other stage; this counts all output frames that the sink has
    /// not yet taken, including interpolated ones.
    @Test func readerDoesNotRunAhead() throws {
        let picture = try GeneratedPicture.flat(9, width: 16, height: 16)
        let gate = BoundedQueue<Int>(capacity: 1)
        let living = LivingPictures()
        let sink = RecordingSink(keepsFrames: false, onWrite: { if $0 == 0 { _ = gate.pop() } })
        let pipeline = try ConversionPipeline(
            source: GeneratedSource(count: 500) { _ in living.counted(picture) }, sink: sink,
            plan: SlowMotionPlan(factor: 2),
            options: ConversionOptions(), finder: ScriptedTransitions())
        let bound = try pipeline.memoryBound.frames
        let runner = WorkerThread(name: "run") { _ = try? pipeline.run() }
        #expect(waitUntil { living.made > 5 })
        // Nothing is written, so the reader stops once the queues are full; the number no longer grows then.
        var last = -1
        while last != living.made {
            last = living.made
            usleep(50_000)
        }
        #expect(living.made <= bound)
        gate.finish()
        runner.join()
        #expect(living.made == 500)
        #expect(living.alive == 0)
    }
}
