export type Place = { x: number; y: number };

const MOST_TICKS = 5;

/** Round values from 0 to at least `most`, at most five steps apart; whole numbers for counts, and as soon as `most` is above 1. */
export function roundTicks(most: number, isCount = false): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / (MOST_TICKS - 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= rough - Number.EPSILON) ?? 10;
  const nice = factor * power;
  const step = isCount || most > 1 ? Math.max(1, Number.isInteger(nice) ? nice : Math.ceil(nice)) : nice;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

const LETTER_WIDTH = 7;
const LABEL_GAP = 16;

const MOST_LETTERS = 20;
/** With fewer a short name says nothing. */
const FEWEST_LETTERS = 6;
/** Between short names that each have a place of their own, in pixels. */
const NAME_GAP = 6;

/** A name as it fits below a bar: of a long one its beginning and its end, by which names that begin alike are told apart. */
export function shortLabel(label: string, most = MOST_LETTERS): string {
  const letters = [...label];
  if (letters.length <= most) return label;
  const half = Math.floor((most - 1) / 2);
  return `${letters
    .slice(0, most - 1 - half)
    .join('')
    .trimEnd()}…${letters.slice(-half).join('').trimStart()}`;
}

/**
 * Names below bars that are `band` pixels apart, and every how many of them is drawn. A name cannot be guessed from the ones beside it, as an hour can: they are
 * as short as it takes to draw each. Where even that has no room, or makes names alike that are not, some are left out.
 */
export function namesBelowBars(names: readonly string[], band: number): { labels: string[]; every: number } {
  const labels = names.map((name) => shortLabel(name));
  const width = band * names.length;
  const every = labelStep(labels, width);
  const room = Math.floor((band - NAME_GAP) / LETTER_WIDTH);
  if (every === 1 || room < FEWEST_LETTERS) return { labels, every };
  const short = names.map((name) => shortLabel(name, Math.min(room, MOST_LETTERS)));
  return new Set(short).size < new Set(labels).size ? { labels, every } : { labels: short, every: 1 };
}

/** About how wide a label is, in pixels. */
function textWidth(label: string): number {
  return label.length * LETTER_WIDTH;
}

/**
 * Where a label stands below its place `x`: in its middle, but no part of it outside of a drawing of `width`. One at the edge `right` of the axis ends there, and
 * comes closer to the one before it.
 */
export function placeLabel(
  label: string,
  { x, isFirst, right, width }: { x: number; isFirst: boolean; right: number; width: number },
): { x: number; anchor: 'middle' | 'end' } {
  const half = textWidth(label) / 2;
  if (isFirst) return { x: Math.max(x, half), anchor: 'middle' };
  if (x >= right - 20) return { x, anchor: 'end' };
  return x + half > width ? { x: width, anchor: 'end' } : { x, anchor: 'middle' };
}

/** The widest label with a gap beside it, in pixels. */
export function labelWidth(labels: readonly string[]): number {
  return labels.reduce((most, label) => Math.max(most, textWidth(label)), 0) + LABEL_GAP;
}

/** Every how many labels one is drawn, so that none touches the next; the width in pixels. */
export function labelStep(labels: readonly string[], width: number): number {
  return Math.max(1, Math.ceil((labelWidth(labels) * labels.length) / Math.max(width, 1)));
}

/** An SVG path through the places that never swings above a peak or below a valley (monotone cubic). */
export function smoothPath(places: readonly Place[]): string {
  const [first, ...rest] = places;
  if (!first) return '';
  const slopes = places.slice(1).map((place, index) => {
    const before = places[index]!; // one place stands before each of `slice(1)`
    return (place.y - before.y) / (place.x - before.x || 1);
  });
  const tangents = places.map((_, index) => {
    const left = slopes[index - 1] ?? slopes[index] ?? 0;
    const right = slopes[index] ?? left;
    if (left * right <= 0) return 0;
    const least = Math.min(Math.abs(left), Math.abs(right));
    return Math.sign(left) * Math.min(Math.abs((left + right) / 2), 3 * least);
  });
  let path = `M${at(first.x)},${at(first.y)}`;
  let before = first;
  rest.forEach((place, index) => {
    const third = (place.x - before.x) / 3;
    const out = before.y + third * (tangents[index] ?? 0);
    const into = place.y - third * (tangents[index + 1] ?? 0);
    path += `C${at(before.x + third)},${at(out)},${at(place.x - third)},${at(into)},${at(place.x)},${at(place.y)}`;
    before = place;
  });
  return path;
}

/** An arc around the middle of a 100 × 100 box from one share of the circle to another, clockwise from the top. */
export function arcPath(from: number, to: number, radius: number): string {
  const [x1, y1] = onCircle(from, radius);
  const [x2, y2] = onCircle(to, radius);
  return `M${at(x1)},${at(y1)}A${radius},${radius},0,${to - from > 0.5 ? 1 : 0},1,${at(x2)},${at(y2)}`;
}

function onCircle(share: number, radius: number): [number, number] {
  const angle = share * 2 * Math.PI;
  return [50 + radius * Math.sin(angle), 50 - radius * Math.cos(angle)];
}

function at(value: number): string {
  return String(Math.round(value * 100) / 100);
}
