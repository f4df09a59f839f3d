// Constants of the weights of detail transfer that were chosen by trying, not derived. They were set by hand in November 2026,
// when the transfer was written; the clips that were looked at are not recorded. vfx_detail_transfer.h says where each acts.

// Added to the mean difference, in grey levels: rounding alone gives about as much.
#define DETAIL_TRANSFER_MISMATCH_FLOOR 0.3f
// Added to the variance of luma, so that flat areas with noise do not count as a mismatch.
#define DETAIL_TRANSFER_VARIANCE_FLOOR 2.0f
