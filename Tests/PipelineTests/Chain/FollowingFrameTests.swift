import FrameCore
import Motion
import Pipeline
import TestSupport
import Testing

/// What interpolating effects learn about the frame that follows.
@Suite struct FollowingFrameTests {
    private let wanted = TemporalWindow(seesFollowing: true)

    @Test(arguments: 0...6, [1, 2, 3, 4, 8, 20])
    func givesEachPairOnceAndHoldsFewFrames(lookAhead: Int, count: Int) throws {
        let picture = try GeneratedPicture.flat(0, width: 16, height: 16)
        var timeline = SourceTimeline(ScriptedTransitions(lookAhead: lookAhead, [3: .cut, 5: .duplicate]))
        var window = EffectWindow(wanted)
        var seen: [Neighbourhood] = []
        var peak = 0
        func take(_ frames: [TimelineFrame]) {
            for frame in frames {
                window.append(frame)
                while let (neighbourhood, _) = window.next() { seen.append(neighbourhood) }
            }
            peak = max(peak, window.count + timeline.count)
        }
        for index in 0..<count {
            let frame = Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 1))
            take(timeline.append(TimelineFrame(frame: frame)))
            // A frame is returned only with the one that follows; the last one waits for the end of the clip.
            #expect(seen.allSatisfy { $0.following != nil })
        }
        take(timeline.finish())
        window.finish()
        while let (neighbourhood, _) = window.next() { seen.append(neighbourhood) }
        #expect(seen.map(\.index) == Array(0..<count))
        #expect(seen.map(\.current.presentationTime.value) == Array(0..<Int64(count)))
        #expect(seen.map { $0.following?.presentationTime.value } == (1..<Int64(count)).map { $0 } + [nil])
        for neighbourhood in seen {
            #expect(neighbourhood.cutFollows == (neighbourhood.index == 2 && count > 3))
        }
        #expect(timeline.cuts.map(\.frame) == (count > 3 ? [3] : []))
        #expect(timeline.duplicates == (count > 5 ? 1 : 0))
        #expect(peak <= SourceTimeline.capacity(lookAhead: lookAhead) + 2)
    }

    /// Upcoming pairs are the next neighbourhoods; frames wait until they are known.
    @Test(arguments: [1, 2]) func upcomingPairsAreTheNextNeighbourhoods(pairs: Int) throws {
        let picture = try GeneratedPicture.flat(0, width: 16, height: 16)
        var wanted = wanted
        wanted.upcomingPairs = pairs
        var window = EffectWindow(wanted)
        for index in 0..<6 {
            window.append(
                TimelineFrame(
                    frame: Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 1)),
                    before: .init(isCut: index == 0 || index == 3, resetPoint: index == 2 ? 1 : nil),
                    isLast: index == 5))
        }
        window.finish()
        var neighbourhoods: [Neighbourhood] = []
        while let (neighbourhood, _) = window.next() { neighbourhoods.append(neighbourhood) }
        #expect(neighbourhoods.map(\.upcoming.count) == (0..<6).map { min(pairs, max(0, 4 - $0)) })
        for neighbourhood in neighbourhoods {
            for (distance, announced) in neighbourhood.upcoming.enumerated() {
                let later = neighbourhoods[neighbourhood.index + 1 + distance]
                #expect(announced.index == later.index)
                #expect(announced.current.presentationTime == later.current.presentationTime)
                #expect(announced.following.presentationTime == later.following?.presentationTime)
                #expect(announced.cutFollows == later.cutFollows)
                #expect(announced.resets == later.resets)
                #expect(announced.end == later.end)
            }
        }
    }

    /// A frame is returned once both its upcoming pairs and the end of the last of them are known.
    @Test(arguments: [1, 2]) func upcomingPairsAreWaitedFor(pairs: Int) throws {
        let picture = try GeneratedPicture.flat(0, width: 16, height: 16)
        var wanted = wanted
        wanted.upcomingPairs = pairs
        for knowsLast in [false, true] {
            var window = EffectWindow(wanted), taken: [Int] = []
            for index in 0..<6 {
                window.append(
                    TimelineFrame(
                        frame: Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 1)),
                        before: .init(isCut: index == 3), isLast: knowsLast ? index == 5 : nil))
                while let (neighbourhood, _) = window.next() {
                    taken.append(neighbourhood.index)
                    #expect(neighbourhood.upcoming.count == min(pairs, max(0, 4 - neighbourhood.index)))
                }
                #expect(window.count <= EffectWindow.capacity(wanted, knowsLast: knowsLast))
                let known = max(0, index - pairs - (knowsLast ? 0 : 1))
                #expect(taken.count == (knowsLast && index == 5 ? 5 : known))
            }
        }
    }

    @Test func emptyClipHasNothing() {
        var window = EffectWindow(wanted)
        window.finish()
        #expect(window.next() == nil)
    }

    /// Effects after the first do not know in advance which frame is the last.
    @Test func unknownEndsAreWaitedFor() throws {
        let picture = try GeneratedPicture.flat(0, width: 16, height: 16)
        var window = EffectWindow(wanted), taken: [Int] = []
        for index in 0..<5 {
            window.append(
                TimelineFrame(
                    frame: Frame(buffer: picture, presentationTime: MediaTime(value: Int64(index), timescale: 1)),
                    before: .init(isFlash: index == 2, isOfMixedLight: index == 3)))
            while let (neighbourhood, _) = window.next() {
                taken.append(neighbourhood.index)
                #expect(neighbourhood.flashFollows == [false, true, true, true][neighbourhood.index])
            }
            #expect(window.count <= EffectWindow.capacity(wanted, knowsLast: false))
        }
        #expect(taken == [0, 1, 2])
    }
}
