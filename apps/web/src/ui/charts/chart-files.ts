import { saveBlob } from '../controls/save-blob.ts';
import { chartDash, chartPattern, TILE, type ChartPoint, type ChartSeries } from './chart-series.ts';

/** Saves the figures of a chart as a table. */
export function saveCsv({
  title,
  labelHeader,
  series,
  points = [],
}: {
  title: string;
  labelHeader: string;
  series: readonly ChartSeries[];
  points: readonly ChartPoint[] | undefined;
}): void {
  // The language of the page is that of its reader.
  const text = chartCsv(labelHeader, series, points, document.documentElement.lang || undefined);
  saveBlob(new Blob([text], { type: 'text/csv' }), `${title}.csv`);
}

export type ChartPicture = {
  title: string;
  unit: string;
  /** The legend: what the picture shows. */
  series: readonly ChartSeries[];
  /** The legend shows lines with their dashes. */
  hasLines: boolean;
  note?: string | undefined;
};

/** Pixels of the screen for each of the page, so that it stays sharp on paper. */
const SCALE = 2;
const EDGE = 20;
const FONT = 'system-ui, sans-serif';

/** Saves what is drawn as a picture that says by itself what it shows: with its title, unit, legend and note. */
export async function savePng(drawing: HTMLElement | null, picture: ChartPicture): Promise<void> {
  const svg = drawing?.querySelector('svg');
  if (!svg) return;
  const { width, height } = svg.getBoundingClientRect();
  const styles = getComputedStyle(document.documentElement);
  const colorOf = (token: string) => styles.getPropertyValue(token).trim();
  const image = await loadSvg(svg, { width, height, colorOf });
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!context) return;
  const title = linesOf(context, picture.title, `600 16px ${FONT}`, width);
  const unit = linesOf(context, picture.unit, `13px ${FONT}`, width);
  const note = linesOf(context, picture.note ?? '', `500 14px ${FONT}`, width);
  const legend = placesOfLegend(context, picture.series.length > 1 ? picture.series : [], width);
  const head = title.length * 22 + unit.length * 18 + 14;
  const rows = (legend.at(-1)?.row ?? -1) + 1;
  canvas.width = (width + 2 * EDGE) * SCALE;
  canvas.height = (head + height + rows * 24 + (note.length ? note.length * 20 + 14 : 0) + 2 * EDGE) * SCALE;
  context.scale(SCALE, SCALE);
  context.fillStyle = colorOf('--raised');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.translate(EDGE, EDGE);
  context.textBaseline = 'top';
  const write = (lines: readonly string[], { font, color, top, line }: Written) => {
    context.font = font;
    context.fillStyle = colorOf(color);
    for (const [at, text] of lines.entries()) context.fillText(text, 0, top + at * line);
  };
  write(title, { font: `600 16px ${FONT}`, color: '--text', top: 0, line: 22 });
  write(unit, { font: `13px ${FONT}`, color: '--muted', top: title.length * 22, line: 18 });
  context.drawImage(image, 0, head, width, height);
  context.font = `13px ${FONT}`;
  for (const { one, left, row } of legend) {
    const top = head + height + 8 + row * 24;
    drawMark(context, { one, left, top, hasLines: picture.hasLines, colorOf });
    context.fillStyle = colorOf('--text');
    context.fillText(one.label, left + 22, top);
  }
  const below = head + height + rows * 24 + 14;
  write(note, { font: `500 14px ${FONT}`, color: '--text', top: below, line: 20 });
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob) saveBlob(blob, `${picture.title}.png`);
}

type Written = { font: string; color: string; top: number; line: number };

async function loadSvg(
  svg: SVGElement,
  { width, height, colorOf }: { width: number; height: number; colorOf: (token: string) => string },
): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGElement; // cloneNode answers the type it was called on
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('font-family', FONT);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const source = new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\((--[\w-]+)\)/g, (_, token: string) => colorOf(token));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  return image;
}

/** A text in lines that are not wider than the chart. */
function linesOf(context: CanvasRenderingContext2D, text: string, font: string, width: number): string[] {
  context.font = font;
  const lines: string[] = [];
  for (const word of text.split(' ').filter(Boolean)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || context.measureText(longer).width > width) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Each entry behind the one before, in as many rows as they need. */
function placesOfLegend(context: CanvasRenderingContext2D, series: readonly ChartSeries[], width: number) {
  context.font = `13px ${FONT}`;
  let left = 0;
  let row = 0;
  return series.map((one) => {
    const wide = 22 + context.measureText(one.label).width + 18;
    if (left > 0 && left + wide > width) {
      left = 0;
      row += 1;
    }
    const place = { one, left, row };
    left += wide;
    return place;
  });
}

/** A square with its pattern, or a line with its dashes: series are told apart without colour, too. */
function drawMark(
  context: CanvasRenderingContext2D,
  {
    one,
    left,
    top,
    hasLines,
    colorOf,
  }: {
    one: ChartSeries;
    left: number;
    top: number;
    hasLines: boolean;
    colorOf: (token: string) => string;
  },
): void {
  context.save();
  context.translate(left, top + 1);
  const color = colorOf(`--chart-${one.color}`);
  context.strokeStyle = color;
  if (hasLines) {
    context.lineWidth = 2;
    context.setLineDash((chartDash(one.color) ?? '').split(' ').filter(Boolean).map(Number));
    context.stroke(new Path2D('M0,6H16'));
  } else {
    context.fillStyle = color;
    context.beginPath();
    context.rect(0, 0, 2 * TILE, 2 * TILE);
    context.fill();
    context.clip();
    const pattern = chartPattern(one.color);
    context.strokeStyle = colorOf('--raised');
    context.lineWidth = 1.5;
    if (pattern)
      for (const [x, y] of [
        [0, 0],
        [TILE, 0],
        [0, TILE],
        [TILE, TILE],
      ] as const) {
        context.setTransform(SCALE, 0, 0, SCALE, (EDGE + left + x) * SCALE, (EDGE + top + 1 + y) * SCALE);
        context.stroke(new Path2D(pattern));
      }
  }
  context.restore();
}

/**
 * The figures with a header row, as a spreadsheet of `locale` opens them with a double click: where figures have a decimal comma
 * (German, French, Spanish, Portuguese), columns are separated by semicolons; elsewhere it is RFC 4180. Nothing of it runs as a formula.
 */
export function chartCsv(
  labelHeader: string,
  series: readonly ChartSeries[],
  points: readonly ChartPoint[],
  locale = 'en',
): string {
  const hasComma = new Intl.NumberFormat(locale).format(0.5).includes(',');
  const separator = hasComma ? ';' : ',';
  const text = (value: string) => csvCell(value, separator);
  const figure = (value: number | undefined) =>
    value === undefined ? '' : String(rounded(value)).replace('.', hasComma ? ',' : '.');
  const rows = [
    [labelHeader, ...series.map((one) => one.label)].map(text),
    ...points.map((point) => [text(point.label), ...series.map((one) => figure(point.values[one.key]))]),
  ];
  return BYTE_ORDER_MARK + rows.map((row) => `${row.join(separator)}\r\n`).join('');
}

/** Six decimals: what computing with fractions leaves behind them says nothing. */
function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Spreadsheets take a file for Unicode when it begins with this mark. */
const BYTE_ORDER_MARK = '\ufeff';
/** What a spreadsheet would run: also behind a semicolon, by which many countries separate columns. A plain number is no formula. */
const FORMULA = /(^|;)(?=[=+\-@\t\r])(?![+-]?\d+(?:\.\d+)?(?:;|$))/g;

function csvCell(text: string, separator: string): string {
  const safe = text.replace(FORMULA, "$1'");
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
