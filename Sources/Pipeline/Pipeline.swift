import FrameCore
