// Sessions take and give what these modules define, so one import is enough to use them.
@_exported public import FrameCore
@_exported public import Motion
