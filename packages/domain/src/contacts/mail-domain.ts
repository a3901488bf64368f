/**
 * An address in its one spelling: browsers write the domain of exämple.de as xn--exmple-cua.de, people and files write it
 * as it reads. Domains in plain letters stay as they are.
 */
export function readableAddress(address: string): string {
  const composed = address.normalize('NFC');
  const at = composed.lastIndexOf('@') + 1;
  return composed.slice(0, at) + composed.slice(at).split('.').map(readableLabel).join('.');
}

function readableLabel(label: string): string {
  if (/^xn--/i.test(label))
    return decodeLabel(label.slice('xn--'.length).toLowerCase()) ?? label.toLowerCase();
  return /^[\x20-\x7e]*$/.test(label) ? label : label.toLowerCase().normalize('NFC');
}

// https://www.rfc-editor.org/rfc/rfc3492#section-5
const [BASE, LOWEST, HIGHEST, SKEW, DAMP, FIRST_BIAS, FIRST_CODE] = [36, 1, 26, 38, 700, 72, 128];
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Undefined for what stands for no text that could be a part of a domain. */
function decodeLabel(code: string): string | undefined {
  const split = code.lastIndexOf('-');
  const letters = split > 0 ? [...code.slice(0, split)] : [];
  let rest = code.slice(split > 0 ? split + 1 : 0);
  let [place, codePoint, bias] = [0, FIRST_CODE, FIRST_BIAS];
  while (rest !== '') {
    const step = readDelta(rest, bias);
    if (!step) return undefined;
    rest = rest.slice(step.digits);
    const count = letters.length + 1;
    bias = adaptBias(step.delta, count, place === 0 && codePoint === FIRST_CODE);
    codePoint += Math.floor((place + step.delta) / count);
    place = (place + step.delta) % count;
    if (codePoint > 0x10ffff) return undefined;
    letters.splice(place, 0, String.fromCodePoint(codePoint));
    place += 1;
  }
  const label = letters.join('').normalize('NFC').toLowerCase();
  return /^[^\p{C}\p{Z}.@]+$/u.test(label) ? label : undefined;
}

function readDelta(text: string, bias: number): { delta: number; digits: number } | undefined {
  let [delta, weight] = [0, 1];
  for (let index = 0; index < text.length; index += 1) {
    const digit = DIGITS.indexOf(text.charAt(index));
    if (digit === -1) return undefined;
    delta += digit * weight;
    if (delta > Number.MAX_SAFE_INTEGER / BASE) return undefined;
    const threshold = Math.min(HIGHEST, Math.max(LOWEST, BASE * (index + 1) - bias));
    if (digit < threshold) return { delta, digits: index + 1 };
    weight *= BASE - threshold;
  }
  return undefined;
}

function adaptBias(delta: number, count: number, isFirst: boolean): number {
  let left = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2);
  left += Math.floor(left / count);
  let steps = 0;
  for (; left > ((BASE - LOWEST) * HIGHEST) / 2; steps += BASE) left = Math.floor(left / (BASE - LOWEST));
  return steps + Math.floor(((BASE - LOWEST + 1) * left) / (left + SKEW));
}
