import FrameCore
import Pipeline
import Testing

@Suite struct BoundedQueueTests {
    @Test(arguments: [0, 1, 2, 7])
    func keepsOrderAndBound(capacity: Int) {
        let queue = BoundedQueue<Int>(capacity: capacity)
        let ahead = Lock((now: 0, peak: 0))
        let producer = WorkerThread(name: "producer") {
            for number in 0..<2000 {
                guard queue.push(number) else { return }
                ahead.withLock {
                    $0.now += 1
                    $0.peak = max($0.peak, $0.now)
                }
            }
            queue.finish()
        }
        var expected = 0
        while let number = queue.pop() {
            ahead.withLock { $0.now -= 1 }
            #expect(number == expected)
            expected += 1
        }
        producer.join()
        #expect(expected == 2000)
        #expect(ahead.withLock { $0.peak } <= max(1, capacity) + 1)
    }

    @Test func finishLetsTheRestOut() {
        let queue = BoundedQueue<Int>(capacity: 4)
        #expect(queue.push(1))
        queue.finish()
        #expect(!queue.push(2))
        #expect(queue.pop() == 1)
        #expect(queue.pop() == nil)
    }

    @Test func cancelWakesBothSides() {
        let full = BoundedQueue<Int>(capacity: 1)
        #expect(full.push(1))
        let pushed = Lock(true)
        let producer = WorkerThread(name: "producer") { pushed.withLock { $0 = full.push(2) } }
        let empty = BoundedQueue<Int>(capacity: 1)
        let popped = Lock<Int?>(0)
        let consumer = WorkerThread(name: "consumer") { popped.withLock { $0 = empty.pop() } }
        full.cancel()
        empty.cancel()
        producer.join()
        consumer.join()
        #expect(!pushed.withLock { $0 })
        #expect(popped.withLock { $0 } == nil)
        #expect(full.pop() == nil)
    }

    @Test func joinGivesUpInTime() {
        let gate = BoundedQueue<Int>(capacity: 1)
        let worker = WorkerThread(name: "stuck") { _ = gate.pop() }
        #expect(!worker.join(forAtMost: 0.01))
        gate.finish()
        worker.join()
        #expect(worker.join(forAtMost: 0))
    }
}
