import { encodePixels } from '../../platform/pictures/encode-pixels.ts';

export const BARS_PICTURE = { width: 1_072, height: 280 } as const;
const PAGE = [255, 255, 255] as const;
const BAR = [0, 128, 105] as const;
const LINE = [200, 210, 206] as const;

/**
 * Bars in proportion as a JPEG, without letters: which fonts a server has nobody knows, and what stands in the mail beside it is read by everybody.
 */
export function drawBarsPicture(values: readonly number[]): Promise<Uint8Array> {
  return encodePixels(barPixels(values, BARS_PICTURE), BARS_PICTURE);
}

/** Three bytes for each pixel, row by row. */
export function barPixels(
  values: readonly number[],
  { width, height }: { width: number; height: number },
): Uint8Array {
  const pixels = new Uint8Array(width * height * 3);
  for (let at = 0; at < pixels.length; at += 3) pixels.set(PAGE, at);
  const fill = (
    [left, right]: readonly [number, number],
    [top, bottom]: readonly [number, number],
    color: readonly number[],
  ) => {
    for (let y = top; y < bottom; y += 1)
      for (let x = left; x < right; x += 1) pixels.set(color, (y * width + x) * 3);
  };
  const base = height - 2;
  const most = Math.max(1, ...values);
  const band = width / Math.max(1, values.length);
  for (const [index, value] of values.entries()) {
    const left = Math.floor(index * band + band * 0.12);
    const right = Math.max(left + 1, Math.floor((index + 1) * band - band * 0.12));
    const top = base - Math.round((value / most) * (base - 4));
    fill([left, Math.min(right, width)], [top, base], BAR);
  }
  fill([0, width], [base, height], LINE);
  return pixels;
}
