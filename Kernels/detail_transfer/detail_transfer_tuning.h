// Constants of the weights of detail transfer that were found by experiment, not derived. They were set by hand in
// November 2026, when the transfer was written; the test clips are not recorded. vfx_detail_transfer.h shows the
// formulas that use them.

// Added to the mean difference, in grey levels: about as much as rounding alone causes.
#define DETAIL_TRANSFER_MISMATCH_FLOOR 0.3f
// Added to the variance of luma, in squared grey levels, so that noise in flat areas does not count as a mismatch.
#define DETAIL_TRANSFER_VARIANCE_FLOOR 2.0f
