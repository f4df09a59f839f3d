// Dynamic metadata of HDR10+ (SMPTE ST 2094-40) as libav's structure and as the message that video streams carry.
#ifndef VFX_CLIBAV_HDR10PLUS_H
#define VFX_CLIBAV_HDR10PLUS_H
#include <libavutil/hdr_dynamic_metadata.h>
#include <libavutil/rational.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Larger than any message: 3 windows and two tables of 25 by 25 values.
enum { vfx_hdr10plus_most_bytes = 2048 };

typedef struct {
    uint8_t *bytes;
    size_t bits;
} vfx_bit_writer;

static inline void vfx_put_bits(vfx_bit_writer *writer, int count, uint32_t value) {
    for (int bit = count - 1; bit >= 0; bit--, writer->bits++)
        if (value >> bit & 1) writer->bytes[writer->bits / 8] |= (uint8_t)(0x80 >> writer->bits % 8);
}

// Writes a fraction in steps of 1/scale.
static inline void vfx_put_fraction(vfx_bit_writer *writer, int count, AVRational value, int64_t scale) {
    const int64_t most = ((int64_t)1 << count) - 1;
    int64_t steps = value.den > 0 ? (value.num * scale + value.den / 2) / value.den : 0;
    if (steps < 0) steps = 0;
    vfx_put_bits(writer, count, (uint32_t)(steps > most ? most : steps));
}

static inline void vfx_put_peak_luminances(
    vfx_bit_writer *writer, uint8_t is_present, uint8_t rows, uint8_t columns, const AVRational (*values)[25]) {
    vfx_put_bits(writer, 1, is_present != 0);
    if (!is_present) return;
    if (rows > 25) rows = 25;
    if (columns > 25) columns = 25;
    vfx_put_bits(writer, 5, rows);
    vfx_put_bits(writer, 5, columns);
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) vfx_put_fraction(writer, 4, values[row][column], 15);
}

// Writes a message of ITU-T T.35, which begins with the country code, to vfx_hdr10plus_most_bytes bytes. Returns its
// length; 0 if the metadata is invalid.
static inline size_t vfx_hdr10plus_message(const AVDynamicHDRPlus *metadata, uint8_t *bytes) {
    static const uint8_t head[] = {0xB5, 0x00, 0x3C, 0x00, 0x01, 4};
    const AVDynamicHDRPlus *m = metadata;
    if (m->num_windows < 1 || m->num_windows > 3) return 0;
    memset(bytes, 0, vfx_hdr10plus_most_bytes);
    memcpy(bytes, head, sizeof head);
    vfx_bit_writer writer = {bytes, 8 * sizeof head};
    vfx_put_bits(&writer, 8, m->application_version);
    vfx_put_bits(&writer, 2, m->num_windows);
    for (int w = 1; w < m->num_windows; w++) {
        const AVHDRPlusColorTransformParams *p = &m->params[w];
        vfx_put_fraction(&writer, 16, p->window_upper_left_corner_x, 1);
        vfx_put_fraction(&writer, 16, p->window_upper_left_corner_y, 1);
        vfx_put_fraction(&writer, 16, p->window_lower_right_corner_x, 1);
        vfx_put_fraction(&writer, 16, p->window_lower_right_corner_y, 1);
        vfx_put_bits(&writer, 16, p->center_of_ellipse_x);
        vfx_put_bits(&writer, 16, p->center_of_ellipse_y);
        vfx_put_bits(&writer, 8, p->rotation_angle);
        vfx_put_bits(&writer, 16, p->semimajor_axis_internal_ellipse);
        vfx_put_bits(&writer, 16, p->semimajor_axis_external_ellipse);
        vfx_put_bits(&writer, 16, p->semiminor_axis_external_ellipse);
        vfx_put_bits(&writer, 1, p->overlap_process_option != 0);
    }
    vfx_put_fraction(&writer, 27, m->targeted_system_display_maximum_luminance, 1);
    vfx_put_peak_luminances(
        &writer, m->targeted_system_display_actual_peak_luminance_flag,
        m->num_rows_targeted_system_display_actual_peak_luminance,
        m->num_cols_targeted_system_display_actual_peak_luminance, m->targeted_system_display_actual_peak_luminance);
    for (int w = 0; w < m->num_windows; w++) {
        const AVHDRPlusColorTransformParams *p = &m->params[w];
        const int percentiles = p->num_distribution_maxrgb_percentiles > 15 ? 15 : p->num_distribution_maxrgb_percentiles;
        for (int i = 0; i < 3; i++) vfx_put_fraction(&writer, 17, p->maxscl[i], 100000);
        vfx_put_fraction(&writer, 17, p->average_maxrgb, 100000);
        vfx_put_bits(&writer, 4, (uint32_t)percentiles);
        for (int i = 0; i < percentiles; i++) {
            vfx_put_bits(&writer, 7, p->distribution_maxrgb[i].percentage);
            vfx_put_fraction(&writer, 17, p->distribution_maxrgb[i].percentile, 100000);
        }
        vfx_put_fraction(&writer, 10, p->fraction_bright_pixels, 1000);
    }
    vfx_put_peak_luminances(
        &writer, m->mastering_display_actual_peak_luminance_flag,
        m->num_rows_mastering_display_actual_peak_luminance, m->num_cols_mastering_display_actual_peak_luminance,
        m->mastering_display_actual_peak_luminance);
    for (int w = 0; w < m->num_windows; w++) {
        const AVHDRPlusColorTransformParams *p = &m->params[w];
        const int anchors = p->num_bezier_curve_anchors > 15 ? 15 : p->num_bezier_curve_anchors;
        vfx_put_bits(&writer, 1, p->tone_mapping_flag != 0);
        if (p->tone_mapping_flag) {
            vfx_put_fraction(&writer, 12, p->knee_point_x, 4095);
            vfx_put_fraction(&writer, 12, p->knee_point_y, 4095);
            vfx_put_bits(&writer, 4, (uint32_t)anchors);
            for (int i = 0; i < anchors; i++) vfx_put_fraction(&writer, 10, p->bezier_curve_anchors[i], 1023);
        }
        vfx_put_bits(&writer, 1, p->color_saturation_mapping_flag != 0);
        if (p->color_saturation_mapping_flag) vfx_put_fraction(&writer, 6, p->color_saturation_weight, 8);
    }
    return (writer.bits + 7) / 8;
}
#endif
