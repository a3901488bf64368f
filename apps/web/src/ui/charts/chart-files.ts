import { saveBlob } from '../controls/save-blob.ts';
import type { ChartPoint, ChartSeries } from './chart-series.ts';

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
  saveBlob(new Blob([chartCsv(labelHeader, series, points)], { type: 'text/csv' }), `${title}.csv`);
}

/** Saves what is drawn as a picture of twice the size. */
export async function savePng(drawing: HTMLElement | null, name: string): Promise<void> {
  const svg = drawing?.querySelector('svg');
  if (!svg) return;
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as SVGElement; // cloneNode answers the type it was called on
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('font-family', 'system-ui, sans-serif');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const styles = getComputedStyle(document.documentElement);
  const source = new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\((--[\w-]+)\)/g, (_, token: string) => styles.getPropertyValue(token).trim());
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * 2;
  canvas.height = height * 2;
  const context = canvas.getContext('2d');
  if (!context) return;
  context.fillStyle = styles.getPropertyValue('--raised').trim();
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (blob) saveBlob(blob, name);
  }, 'image/png');
}

/** The figures as RFC 4180 text with a header row; values that a spreadsheet would run as formulas are quoted. */
export function chartCsv(
  labelHeader: string,
  series: readonly ChartSeries[],
  points: readonly ChartPoint[],
): string {
  const rows = [
    [labelHeader, ...series.map((one) => one.label)],
    ...points.map((point) => [point.label, ...series.map((one) => String(point.values[one.key] ?? ''))]),
  ];
  return rows.map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n';
}

function csvCell(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
