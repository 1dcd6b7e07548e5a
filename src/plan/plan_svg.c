/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan_svg.c - a plan as a picture: time runs down, the host and each lane have a column.
 *
 * Boxes are work, red arrows to the host are its waits, black arrows are edges between lanes and
 * submissions. Reasons stand at the right, loops are brackets at the left, and what was left out
 * stands below with the fact that allows it. Depends on what the text form depends on.
 */
#include <string.h>

#include "plan/plan_words.h"

enum { ROW = 26, PAD = 8, GAP = 48, EDGE = 20, BRACKET = 12, LINE = 20, FEWEST = 80 };

typedef struct picture {
    text *out;
    const plan *p;
    const mod_entry *entry;
    const plan_shape *shape;
    const plan_facts *facts;
    int column; /* width of one */
    int left;   /* of the host's */
    int chars;  /* that a line at the left edge has room for */
    int y;      /* of the row at hand */
    text line;  /* what is being said */
} picture;

static const char style[] =
    "<style>text{font:12px monospace;fill:#222}.title{font-weight:bold}.why,.out{fill:#666}"
    "rect{fill:#e8eef7;stroke:#5577aa}.host{fill:#f4f4f4;stroke:#999}"
    ".copy{fill:#eaf5e6;stroke:#5a9a4a}.wait{stroke:#c02020;marker-end:url(#wait)}"
    ".edge{stroke:#222;marker-end:url(#edge)}.lane{stroke:#ccc;stroke-dasharray:2 3}"
    ".loop{stroke:#999;fill:none}</style>\n";

#define HEAD(id, colour)                                                                           \
    "<marker id=\"" id "\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "           \
    "markerHeight=\"8\" orient=\"auto\"><path fill=\"" colour "\" d=\"M0 0L8 4L0 8z\"/></marker>"

static const char heads[] = "<defs>" HEAD("wait", "#c02020") HEAD("edge", "#222") "</defs>\n";

/* ---- where things are ------------------------------------------------------------------------ */

/* Of characters: monospace fonts have them at 0.6 of their size, which is 12, and a little for
 * those that are wider. */
static int width_of(size_t chars)
{
    return (int)chars * 15 / 2;
}

/* Column 0 is the host's, column k + 1 lane k's. */
static int column_at(const picture *v, uint32_t column)
{
    return v->left + (int)column * (v->column + GAP);
}

static int middle_of(const picture *v, uint32_t column)
{
    return column_at(v, column) + v->column / 2;
}

static bool on_host(const plan_step *s)
{
    switch (s->kind) {
    case PLAN_UPLOAD:
    case PLAN_DOWNLOAD:
        return s->move == PLAN_MOVE_MAPPED || s->move == PLAN_MOVE_IN_PLACE;
    case PLAN_SCRATCH:
        return s->move == PLAN_MOVE_MAPPED;
    case PLAN_TASK:
    case PLAN_RELEASE:
    case PLAN_BARRIER:
        return false;
    default:
        return true;
    }
}

static bool is_control(const plan_step *s)
{
    return s->kind == PLAN_IF || s->kind == PLAN_LOOP || s->kind == PLAN_DEVICE_LOOP;
}

static bool is_copy(const plan_step *s)
{
    return s->kind == PLAN_UPLOAD || s->kind == PLAN_DOWNLOAD || s->kind == PLAN_UNSTAGE;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void add_escaped(text *out, const char *from, size_t bytes)
{
    for (size_t k = 0; k < bytes; k++) {
        const char *word = from[k] == '<'   ? "&lt;"
                           : from[k] == '>' ? "&gt;"
                           : from[k] == '&' ? "&amp;"
                                            : NULL;
        if (word)
            text_add(out, "%s", word);
        else
            text_add(out, "%c", from[k]);
    }
}

static void say_part(picture *v, int x, const char *class, const char *from, size_t bytes)
{
    text_add(v->out, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, v->y + 14, class);
    add_escaped(v->out, from, bytes);
    text_add(v->out, "</text>\n");
}

/* What v->line says, which is empty afterwards. */
static void say(picture *v, int x, const char *class)
{
    say_part(v, x, class, text_get(&v->line), v->line.bytes);
    text_clear(&v->line);
}

/* Where a line that begins at `from` ends: at the last space that the picture has room for. */
static size_t end_of_line(const char *from, size_t bytes, size_t room)
{
    size_t end = bytes;

    if (bytes <= room)
        return bytes;
    for (size_t k = 1; k < bytes && (k <= room || end == bytes); k++)
        if (from[k] == ' ')
            end = k;
    return end;
}

/* The same at the left edge, in as many lines as it takes; to count them if `draw` is not set. */
static int say_lines(picture *v, bool draw)
{
    const char *from = text_get(&v->line);
    size_t left = v->line.bytes;
    int lines = 0;

    while (left > 0) {
        size_t indent = lines > 0 ? 4 : 0, end = end_of_line(from, left, v->chars - indent);
        if (draw) {
            say_part(v, EDGE + width_of(indent), "out", from, end);
            v->y += LINE;
        }
        lines++;
        end += end < left;
        from += end;
        left -= end;
    }
    text_clear(&v->line);
    return lines;
}

/* From one column's line to another's, or to the edge of the host's box. */
static void arrow(picture *v, uint32_t from, uint32_t to, const char *class)
{
    int at = v->y + ROW / 2 - 3;

    text_add(v->out, "<path class=\"%s\" d=\"M%d %dL%d %d\"/>\n", class,
             from == 0 ? column_at(v, 0) + v->column : middle_of(v, from), at,
             to == 0 ? column_at(v, 0) + v->column : middle_of(v, to), at);
}

static void box(picture *v, const plan_step *s)
{
    uint32_t column = on_host(s) ? 0 : s->lane + 1;

    text_add(v->out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\"%s/>\n",
             column_at(v, column), v->y, v->column, ROW - 6,
             is_copy(s)             ? " class=\"copy\""
             : s->kind == PLAN_TASK ? ""
                                    : " class=\"host\"");
    plan_step_words(&v->line, s, v->entry, v->shape);
    say(v, column_at(v, column) + PAD, "step");
    if (s->move == PLAN_MOVE_BLOCKING)
        text_add(v->out, "<path class=\"wait\" d=\"M%d %dH%d\"/>\n", column_at(v, column),
                 v->y + ROW / 2 - 3, middle_of(v, 0));
}

static void draw_step(picture *v, const plan_step *s)
{
    switch (s->kind) {
    case PLAN_FORK:
    case PLAN_JOIN:
    case PLAN_EDGE:
        arrow(v, s->from + 1, s->lane + 1, "edge");
        break;
    case PLAN_SUBMIT:
        box(v, s);
        arrow(v, 0, s->lane + 1, "edge");
        break;
    case PLAN_HOST_WAIT:
        box(v, s);
        arrow(v, s->lane + 1, 0, "wait");
        break;
    default:
        box(v, s);
    }
    if (s->reason == PLAN_REASON_PROGRAM)
        return;
    plan_reason_words(&v->line, s, v->entry, v->shape);
    say(v, column_at(v, v->p->lane_count + 1), "why");
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Steps [first, end), the brackets of what they hold. */
static void draw_steps(picture *v, uint32_t first, uint32_t end, int depth)
{
    for (uint32_t i = first; i < end; i++) {
        const plan_step *s = &v->p->steps[i];
        int top = v->y, x = EDGE + BRACKET * depth;

        draw_step(v, s);
        v->y += ROW;
        if (!is_control(s))
            continue;
        draw_steps(v, i + 1, s->end, depth + 1);
        text_add(v->out, "<path class=\"loop\" d=\"M%d %dH%dV%dH%d\"/>\n", x + BRACKET / 2,
                 top + 10, x, v->y - 8, x + BRACKET / 2);
        i = s->end - 1;
    }
}

static int deepest(const plan *p)
{
    int most = 0;

    for (uint32_t i = 0; i < p->step_count; i++) {
        int depth = 0;
        for (uint32_t k = 0; k < i; k++)
            depth += is_control(&p->steps[k]) && i < p->steps[k].end;
        most = depth > most ? depth : most;
    }
    return most;
}

static size_t take_longer(picture *v, size_t most)
{
    size_t bytes = v->line.bytes;

    text_clear(&v->line);
    return bytes > most ? bytes : most;
}

static size_t widest_step(picture *v)
{
    size_t most = strlen("the default stream");

    for (uint32_t i = 0; i < v->p->step_count; i++) {
        plan_step_words(&v->line, &v->p->steps[i], v->entry, v->shape);
        most = take_longer(v, most);
    }
    return most;
}

static size_t widest_reason(picture *v)
{
    size_t most = 0;

    for (uint32_t i = 0; i < v->p->step_count; i++) {
        plan_reason_words(&v->line, &v->p->steps[i], v->entry, v->shape);
        most = take_longer(v, most);
    }
    return most;
}

/* As wide as the reasons and the title need; what stands below is broken into lines. */
static int find_width(picture *v)
{
    int columns = column_at(v, v->p->lane_count + 1) + width_of(widest_reason(v));

    plan_title_words(&v->line, v->p, v->entry, v->shape, v->facts);
    int title = EDGE + width_of(take_longer(v, FEWEST)), most = title > columns ? title : columns;
    while (EDGE + width_of((size_t)v->chars + 1) <= most)
        v->chars++;
    return most + EDGE;
}

static void draw_heads(picture *v, int bottom)
{
    bool queue = v->facts->family == PLAN_FAMILY_QUEUE, cpu = v->facts->family == PLAN_FAMILY_CPU;

    for (uint32_t c = 0; c <= v->p->lane_count; c++) {
        if (c == 0)
            text_add(&v->line, "host");
        else if (c == 1)
            text_add(&v->line, "%s", cpu ? "threads" : queue ? "queue" : "the call's stream");
        else
            text_add(&v->line, "lane %u", c - 1);
        say(v, middle_of(v, c) - width_of(v->line.bytes) / 2, "title");
        text_add(v->out, "<path class=\"lane\" d=\"M%d %dV%d\"/>\n", middle_of(v, c), v->y + ROW,
                 bottom);
    }
    v->y += ROW;
}

/* Returns the lines that it takes; draws them if `draw` is set. */
static int say_omissions(picture *v, bool draw)
{
    int lines = 0;

    for (uint32_t i = 0; i < v->p->omission_count; i++) {
        const plan_omission *o = &v->p->omissions[i];

        text_add(&v->line, "left out: ");
        plan_omission_words(&v->line, o, v->entry, v->shape);
        if (o->fact != PLAN_FACT_COUNT)
            text_add(&v->line, " [%s: %s]", plan_fact_rows[o->fact].name,
                     v->facts->source[o->fact]);
        lines += say_lines(v, draw);
    }
    if (v->shape->stream == PLAN_WRAPPED_STREAM && v->facts->family == PLAN_FAMILY_STREAM) {
        plan_capture_words(&v->line, v->p, v->entry, v->shape);
        lines += say_lines(v, draw);
    }
    return lines;
}

void plan_draw(text *out, const plan *p, const mod_entry *entry, const plan_shape *shape,
               const plan_facts *facts)
{
    picture v = { .out = out,
                  .p = p,
                  .entry = entry,
                  .shape = shape,
                  .facts = facts,
                  .left = EDGE + BRACKET * (deepest(p) + 1),
                  .y = EDGE };
    int steps = ROW * (int)(p->step_count + 2) + LINE;

    v.column = width_of(widest_step(&v)) + 2 * PAD;
    int width = find_width(&v),
        height = 2 * EDGE + steps + ROW / 2 + LINE * say_omissions(&v, false);
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n%s%s",
             width, height, style, heads);
    plan_title_words(&v.line, p, entry, shape, facts);
    say(&v, EDGE, "title");
    v.y += LINE;
    plan_assumed_words(&v.line, p);
    say(&v, EDGE, "why");
    v.y += ROW;
    draw_heads(&v, EDGE + steps);
    draw_steps(&v, 0, p->step_count, 0);
    v.y += ROW / 2;
    (void)say_omissions(&v, true);
    text_add(out, "</svg>\n");
    if (out->status == SLIP_OK)
        out->status = v.line.status;
    text_finish(&v.line);
}
