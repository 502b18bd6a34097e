// SPDX-License-Identifier: MIT
// Sequence charts as pictures. Each row has a height of its own and at most one text, so that no
// texts overlap; a box goes round all that is inside, texts too.
#include <stdlib.h>
#include <string.h>

#include "report/sequence.h"

// In pixels. Letters are those of a monospaced font of 12 pixels, which are 7.2 to 7.3 wide.
enum {
    MARGIN = 12,
    HEADER = 26,
    ARROW_ROW = 30,
    SELF_ROW = 36,
    BEGIN_ROW = 26,
    DIVIDE_ROW = 12,
    END_ROW = 12,
    FOLDED_ROW = 26,
    SELF_WIDTH = 26,
    PADDING = 10,
};

// Where a row is drawn; of the row that begins a box, all of the box.
struct area {
    int left, right, top, bottom;
    size_t begin; // of dividers and ends: the row where their box begins
};

struct drawer {
    const struct rh_sequence *sequence;
    struct rh_text *text;
    int *columns; // of lifelines
    struct area *areas;
    int left, right, bottom;
};

static int width_of(const char *string)
{
    int letters = 0;
    for (; *string; string++)
        letters += (*string & 0xc0) != 0x80;
    return letters * 73 / 10 + 1;
}

static void add_xml(struct rh_text *text, const char *string)
{
    for (; *string; string++)
        if (*string == '&')
            rh_text_add(text, "&amp;");
        else if (*string == '<')
            rh_text_add(text, "&lt;");
        else if (*string == '>')
            rh_text_add(text, "&gt;");
        else
            rh_text_addf(text, "%c", *string);
}

// --- Where things are. ---

static void keep_apart(struct drawer *drawer, uint32_t left, uint32_t right, int distance)
{
    if (drawer->columns[right] - drawer->columns[left] < distance)
        drawer->columns[right] = drawer->columns[left] + distance;
}

// How much room a row needs right of the left lifeline that it has to do with.
static void make_room(struct drawer *drawer, const struct rh_sequence_row *row, uint32_t column)
{
    uint32_t left = row->from < row->to ? row->from : row->to;
    uint32_t right = row->from < row->to ? row->to : row->from;
    if (row->kind != RH_SEQUENCE_ARROW)
        return;
    if (left == right && left + 1 == column)
        keep_apart(drawer, left, column, SELF_WIDTH + width_of(row->text) + 2 * PADDING);
    else if (left < right && right == column)
        keep_apart(drawer, left, right, width_of(row->text) + 3 * PADDING);
}

static void place_columns(struct drawer *drawer)
{
    const struct rh_sequence *sequence = drawer->sequence;
    drawer->columns = rh_alloc((sequence->lifelines.count + 1) * sizeof *drawer->columns);
    for (uint32_t i = 1; i < sequence->lifelines.count; i++) {
        int names =
            width_of(sequence->lifelines.items[i - 1]) + width_of(sequence->lifelines.items[i]);
        drawer->columns[i] = drawer->columns[i - 1];
        keep_apart(drawer, i - 1, i, names / 2 + 4 * PADDING);
        for (size_t k = 0; k < sequence->rows.count; k++)
            make_room(drawer, &sequence->rows.items[k], i);
    }
}

static int height_of(const struct rh_sequence_row *row)
{
    switch (row->kind) {
    case RH_SEQUENCE_ARROW:
        return row->from == row->to ? SELF_ROW : ARROW_ROW;
    case RH_SEQUENCE_BEGIN:
        return BEGIN_ROW;
    case RH_SEQUENCE_DIVIDE:
        return DIVIDE_ROW;
    case RH_SEQUENCE_END:
        return END_ROW;
    default:
        return FOLDED_ROW;
    }
}

static void widen(struct area *area, int left, int right)
{
    area->left = left < area->left ? left : area->left;
    area->right = right > area->right ? right : area->right;
}

// The place of a row by itself: a box begins with its text, and grows with what is inside.
static struct area place_row(const struct drawer *drawer, const struct rh_sequence_row *row)
{
    int from = drawer->columns[row->from], to = drawer->columns[row->to];
    struct area area = {.left = from < to ? from : to, .right = from < to ? to : from};
    if (row->kind == RH_SEQUENCE_ARROW && from == to)
        area.right += SELF_WIDTH + width_of(row->text) + PADDING;
    else if (row->kind != RH_SEQUENCE_ARROW)
        widen(&area, area.left, area.left + width_of(row->text) + PADDING);
    widen(&area, area.left - 6, area.right + 6);
    return area;
}

// Ends the innermost box, which now has its size.
static struct area *close_box(struct drawer *drawer, size_t begin, int y)
{
    struct area *box = &drawer->areas[begin];
    box->bottom = y - 4;
    widen(box, box->left - PADDING, box->right + PADDING);
    return box;
}

static void place_rows(struct drawer *drawer)
{
    const struct rh_sequence *sequence = drawer->sequence;
    RH_VECTOR(size_t) open = {0};
    int y = MARGIN + HEADER + MARGIN;
    drawer->areas = rh_alloc((sequence->rows.count + 1) * sizeof *drawer->areas);
    for (size_t i = 0; i < sequence->rows.count; i++) {
        const struct rh_sequence_row *row = &sequence->rows.items[i];
        struct area *area = &drawer->areas[i], *inner = area;
        size_t begin = open.count ? open.items[open.count - 1] : 0;
        if (row->kind != RH_SEQUENCE_DIVIDE && row->kind != RH_SEQUENCE_END)
            *area = place_row(drawer, row);
        area->begin = begin;
        area->top = y;
        area->bottom = y += height_of(row);
        if (row->kind == RH_SEQUENCE_END && open.count) {
            inner = close_box(drawer, begin, y);
            open.count--;
        }
        if (open.count && row->kind != RH_SEQUENCE_DIVIDE && row->kind != RH_SEQUENCE_BEGIN)
            widen(&drawer->areas[open.items[open.count - 1]], inner->left, inner->right);
        if (row->kind == RH_SEQUENCE_BEGIN)
            *rh_vector_push(&open) = i;
    }
    drawer->bottom = y + MARGIN;
    rh_vector_fini(&open);
}

static void find_edges(struct drawer *drawer)
{
    const struct rh_sequence *sequence = drawer->sequence;
    struct area all = {0};
    for (size_t i = 0; i < sequence->lifelines.count; i++) {
        int half = width_of(sequence->lifelines.items[i]) / 2 + PADDING;
        widen(&all, drawer->columns[i] - half, drawer->columns[i] + half);
    }
    for (size_t i = 0; i < sequence->rows.count; i++)
        widen(&all, drawer->areas[i].left, drawer->areas[i].right);
    drawer->left = all.left - MARGIN;
    drawer->right = all.right + MARGIN;
}

// --- Drawing. ---

static void add_text(struct drawer *drawer, int x, int y, const char *anchor, const char *string)
{
    rh_text_addf(drawer->text, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">", x, y, anchor);
    add_xml(drawer->text, string);
    rh_text_add(drawer->text, "</text>\n");
}

static void draw_lifeline(struct drawer *drawer, size_t number)
{
    const char *name = drawer->sequence->lifelines.items[number];
    int x = drawer->columns[number], half = width_of(name) / 2 + 6;
    rh_text_addf(drawer->text, "<path class=\"life\" d=\"M%d %dV%d\"/>\n", x, MARGIN + HEADER,
                 drawer->bottom - MARGIN);
    rh_text_addf(drawer->text,
                 "<rect class=\"actor\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", x - half,
                 MARGIN, 2 * half, HEADER);
    add_text(drawer, x, MARGIN + 17, "middle", name);
}

static void draw_arrow(struct drawer *drawer, const struct rh_sequence_row *row,
                       const struct area *area)
{
    int from = drawer->columns[row->from], to = drawer->columns[row->to], y = area->bottom - 9;
    const char *class = row->is_answer ? "answer" : "send";
    const char *head = row->is_lost ? "lost" : "head";
    if (from == to) {
        rh_text_addf(drawer->text,
                     "<path class=\"%s\" d=\"M%d %dH%dV%dH%d\" marker-end=\"url(#%s)\"/>\n", class,
                     from, y - 14, from + SELF_WIDTH - 6, y, from + 1, head);
        add_text(drawer, from + SELF_WIDTH, y - 3, "start", row->text);
        return;
    }
    rh_text_addf(drawer->text, "<path class=\"%s\" d=\"M%d %dH%d\" marker-end=\"url(#%s)\"/>\n",
                 class, from, y, from < to ? to - 1 : to + 1, head);
    add_text(drawer, (from + to) / 2, y - 5, "middle", row->text);
}

static void draw_row(struct drawer *drawer, size_t number)
{
    const struct rh_sequence_row *row = &drawer->sequence->rows.items[number];
    const struct area *area = &drawer->areas[number], *box = &drawer->areas[area->begin];
    if (row->kind == RH_SEQUENCE_ARROW) {
        draw_arrow(drawer, row, area);
    } else if (row->kind == RH_SEQUENCE_BEGIN) {
        rh_text_addf(
            drawer->text, "<rect class=\"box\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
            area->left, area->top + 3, area->right - area->left, area->bottom - area->top - 3);
        add_text(drawer, area->left + 6, area->top + 17, "start", row->text);
    } else if (row->kind == RH_SEQUENCE_DIVIDE) {
        rh_text_addf(drawer->text, "<path class=\"divide\" d=\"M%d %dH%d\"/>\n", box->left,
                     area->top + DIVIDE_ROW / 2, box->right);
    } else if (row->kind == RH_SEQUENCE_FOLDED) {
        add_text(drawer, area->left + 8, area->top + 17, "start", row->text);
    }
}

static void draw(struct drawer *drawer, const char *title)
{
    int width = drawer->right - drawer->left;
    rh_text_addf(drawer->text,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                 "viewBox=\"%d 0 %d %d\" font-family=\"DejaVu Sans Mono, monospace\" "
                 "font-size=\"12\">\n<title>",
                 width, drawer->bottom, drawer->left, width, drawer->bottom);
    add_xml(drawer->text, title);
    rh_text_addf(drawer->text,
                 "</"
                 "title>\n<style>text{paint-order:stroke;stroke:#fff;stroke-width:3}.life{stroke:#"
                 "999;stroke-dasharray:4 3}.actor{fill:#eef;stroke:"
                 "#446}.box{fill:none;stroke:#777}.divide{stroke:#777;stroke-dasharray:6 3}"
                 ".send{fill:none;stroke:#222}.answer{fill:none;stroke:#222;stroke-dasharray:5 3}"
                 "</style>\n<defs>"
                 "<marker id=\"head\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" "
                 "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>"
                 "<marker id=\"lost\" markerWidth=\"9\" markerHeight=\"9\" refX=\"8\" refY=\"4\" "
                 "orient=\"auto\"><path d=\"M0 0L8 8M0 8L8 0\" stroke=\"#b22\"/></marker>"
                 "</defs>\n<rect x=\"%d\" width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n",
                 drawer->left, width, drawer->bottom);
    for (size_t i = 0; i < drawer->sequence->lifelines.count; i++)
        draw_lifeline(drawer, i);
    for (size_t i = 0; i < drawer->sequence->rows.count; i++)
        draw_row(drawer, i);
    rh_text_add(drawer->text, "</svg>\n");
}

void rh_report_svg(struct rh_text *text, const struct rh_sequence *sequence, const char *title)
{
    struct drawer drawer = {.sequence = sequence, .text = text};
    place_columns(&drawer);
    place_rows(&drawer);
    find_edges(&drawer);
    draw(&drawer, title);
    free(drawer.columns);
    free(drawer.areas);
}
