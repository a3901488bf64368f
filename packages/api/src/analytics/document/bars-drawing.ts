import { html, Html } from '../../platform/words/html.ts';

const WIDTH = 720;
const HEIGHT = 160;
const LABELS = 18;

/** Bars in proportion, with the first, the middle and the last label: everything else stands in the table below. */
export function drawBars(bars: readonly { label: string; value: number }[], title: string): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const band = WIDTH / Math.max(1, bars.length);
  const shapes = bars.map(({ value }, at) => {
    const height = (value / most) * (HEIGHT - 4);
    return `<rect x="${round(at * band + band * 0.12)}" y="${round(HEIGHT - height)}" width="${round(band * 0.76)}" height="${round(height)}" rx="1"/>`;
  });
  const last = bars.length - 1;
  const places = [...new Set([0, Math.floor(last / 2), last])].filter((at) => at >= 0);
  const label = (at: number) => {
    const [x, anchor] =
      bars.length < 4 || (at !== 0 && at !== last)
        ? [at * band + band / 2, 'middle']
        : at === 0
          ? [0, 'start']
          : [WIDTH, 'end'];
    return html`<text x="${round(x)}" y="${HEIGHT + LABELS - 4}" text-anchor="${anchor}"
      >${bars[at]?.label}</text
    >`;
  };
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT + LABELS}" role="img" aria-label="${title}">
    <line x1="0" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}" />
    <g class="bars">${new Html(shapes.join(''))}</g>
    ${places.map(label)}
  </svg>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
