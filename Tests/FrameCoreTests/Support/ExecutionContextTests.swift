import FrameCore
import Testing

@Suite struct ExecutionContextTests {
    @Test func threadsAreAtLeastOne() {
        #expect(ExecutionContext(threads: 0).threads == 1)
        #expect(ExecutionContext(threads: 3).threads == 3)
        #expect(ExecutionContext().threads >= 1)
    }

    @Test func plainCIsTheLowestLevel() {
        #expect(KernelTable.levelNames.first == "c")
        #expect(KernelTable.architectureLevelNames.starts(with: KernelTable.levelNames))
    }

    @Test(arguments: KernelTable.levelNames) func aLevelIsChosenByItsName(_ name: String) throws {
        let context = ExecutionContext(threads: 2, kernels: try #require(KernelTable(name)))
        #expect(context.instructionSet == name)
        #expect(context.kernels.level == Int32(KernelTable.levelNames.firstIndex(of: name) ?? -1))
        #expect((context == ExecutionContext(threads: 2)) == (name == ExecutionContext.serial.instructionSet))
    }

    @Test(arguments: ["", "C", "nothing"]) func otherNamesHaveNoTable(_ name: String) {
        #expect(KernelTable(name) == nil)
    }
}
