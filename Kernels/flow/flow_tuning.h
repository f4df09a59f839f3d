// Constants of the refinement of optical flow that were chosen by trying, not derived. They were set by hand in November 2026,
// when the refinement was written; the clips that were looked at are not recorded. vfx_flow.h says where each one acts.

// A patch whose smaller eigenvalue is this much has half the support of one with strong texture.
#define FLOW_TEXTURE 200.0f
// Support of a patch without texture.
#define FLOW_SUPPORT_MINIMUM 0.02f
// How much of its support a cell gives to its own motion.
#define FLOW_STIFFNESS 0.5f
// Grey levels: difference in brightness, and mean difference of a match, that count as much as the 1 they are added to.
#define FLOW_BRIGHTNESS 12.0f
#define FLOW_MATCH 6.0f
// Mean difference at which a measurement counts half.
#define FLOW_TRUST 8.0f
// Longest step, in samples.
#define FLOW_STEP 1.0f
// Samples outside the target at which a patch measures nothing, and the difference such a patch is given.
#define FLOW_OUTSIDE 4.0f
#define FLOW_OUTSIDE_DIFFERENCE 32.0f
