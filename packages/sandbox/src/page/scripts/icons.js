const SVG = 'http://www.w3.org/2000/svg';
/** Drawn here: not every machine has a font with these signs. */
const PATHS = {
  cross: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  forward: 'M14 6l6 6-6 6M20 12H10a6 6 0 0 0-6 6',
  answer: 'M10 6l-6 6 6 6M4 12h10a6 6 0 0 1 6 6',
  open: 'M8 6h10v10M18 6L6 18',
  tick: 'M5 13l4 4L19 7',
  ticks: 'M2 13l4 4L16 7M11 16l1 1L22 7',
  waiting: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18',
  failed: 'M12 8v5M12 16.5h.01M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18',
};

/** A sign for the eye alone: what it means stands beside it, or in the label of its button. */
export function icon(name) {
  const drawing = document.createElementNS(SVG, 'svg');
  const attributes = {
    ...{ viewBox: '0 0 24 24', width: '16', height: '16', fill: 'none', 'aria-hidden': 'true' },
    ...{
      stroke: 'currentColor',
      'stroke-width': name === 'more' ? '3' : '2',
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    },
  };
  for (const [key, value] of Object.entries(attributes)) drawing.setAttribute(key, value);
  drawing.classList.add('icon');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  drawing.append(path);
  return drawing;
}
