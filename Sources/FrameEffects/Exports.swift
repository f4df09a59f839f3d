// Sessions use the types of these modules, so that one import is enough.
@_exported public import FrameCore
@_exported public import Motion
