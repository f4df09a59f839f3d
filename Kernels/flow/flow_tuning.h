// Constants of the optical flow refinement that were found by experiment, not derived. They were set by hand in
// November 2026, when the refinement was written; the test clips are not recorded. vfx_flow.h shows the formulas that
// use them.

// Smaller eigenvalue at which a patch has half the support of one with strong texture, in squared grey levels (sum over
// 8×8).
#define FLOW_TEXTURE 200.0f
// Support of a patch without texture.
#define FLOW_SUPPORT_MINIMUM 0.02f
// Weight of a cell's own motion, relative to its support.
#define FLOW_STIFFNESS 0.5f
// Difference in brightness, and mean absolute difference of a match, at which each adds 1 to the sum in the denominator
// of a weight, in grey levels.
#define FLOW_BRIGHTNESS 12.0f
#define FLOW_MATCH 6.0f
// Mean absolute difference at which a residual has half its weight, in grey levels.
#define FLOW_TRUST 8.0f
// Longest step in each component, in samples.
#define FLOW_STEP 1.0f
// Distance beyond the target at which the residual of a patch has no weight, in samples, and the difference assigned to
// such a patch, in grey levels.
#define FLOW_OUTSIDE 4.0f
#define FLOW_OUTSIDE_DIFFERENCE 32.0f
