import { html, Html } from '../../platform/words/html.ts';

const WIDTH = 720;
const HEIGHT = 160;

/** Bars in proportion, as wide as there is room, with the first, the middle and the last label below: everything else stands in the table. */
export function drawBars(bars: readonly { label: string; value: number }[], title: string): Html {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const band = WIDTH / Math.max(1, bars.length);
  const shapes = bars.map(({ value }, at) => {
    const height = (value / most) * (HEIGHT - 4);
    return `<rect x="${round(at * band + band * 0.12)}" y="${round(HEIGHT - height)}" width="${round(band * 0.76)}" height="${round(height)}"/>`;
  });
  const last = bars.length - 1;
  const places = [...new Set([0, Math.floor(last / 2), last])].filter((at) => at >= 0);
  // Letters of a drawing would shrink with it: on a phone nobody could read them.
  return html`<svg
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${title}"
    >
      <line x1="0" x2="${WIDTH}" y1="${HEIGHT}" y2="${HEIGHT}" />
      <g class="bars">${new Html(shapes.join(''))}</g>
    </svg>
    <div class="${bars.length < 4 ? 'axis few' : 'axis'}" aria-hidden="true">
      ${places.map((at) => html`<span>${bars[at]?.label}</span>`)}
    </div>`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
