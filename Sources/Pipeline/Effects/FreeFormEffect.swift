/// An effect whose frames may be of any size and format.
protocol FreeFormEffect: ClipEffect {}
