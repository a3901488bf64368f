import { callingCodeOf } from '../settings/calling-codes.ts';

/** How the digits after the country code are parted where many people would take another parting for a mistake. */
const GROUPS: Readonly<Record<string, readonly number[]>> = {
  '1': [3, 3, 4],
  '7': [3, 3, 2, 2],
  '31': [1, 4, 4],
  '32': [3, 2, 2, 2],
  '33': [1, 2, 2, 2, 2],
  '34': [3, 3, 3],
  '39': [3, 3, 4],
  '41': [2, 3, 2, 2],
  '43': [3, 3, 4],
  '44': [4, 6],
  '45': [2, 2, 2, 2],
  '46': [2, 3, 2, 2],
  '47': [3, 2, 3],
  '48': [3, 3, 3],
  '51': [3, 3, 3],
  '52': [2, 4, 4],
  '54': [1, 2, 4, 4],
  '55': [2, 5, 4],
  '56': [1, 4, 4],
  '57': [3, 3, 4],
  '61': [3, 3, 3],
  '62': [3, 4, 4],
  '86': [3, 4, 4],
  '90': [3, 3, 4],
  '91': [5, 5],
  '351': [3, 3, 3],
  '353': [2, 3, 4],
  '971': [2, 3, 4],
};

/** A number (E.164) as people read it: the country code, then digits in groups: +447911000001 → +44 7911 000001. */
export function formatPhone(number: string): string {
  const digits = number.replace(/^\+/, '');
  const code = number.startsWith('+') ? callingCodeOf(digits) : null;
  if (code === null || !/^\d+$/.test(digits)) return number;
  const rest = digits.slice(code.length);
  const groups = code === '49' ? partGerman(rest) : part(rest, GROUPS[code]);
  return ['+' + code, ...groups].filter(Boolean).join(' ');
}

/** By the usual groups where the length fits them or nearly so; else in threes, without a single digit at the end. */
function part(digits: string, usual: readonly number[] | undefined): string[] {
  const length = usual?.reduce((sum, size) => sum + size, 0) ?? 0;
  if (usual && Math.abs(digits.length - length) <= 1) {
    let from = 0;
    return usual.map((size, index) => {
      const group = digits.slice(from, index === usual.length - 1 ? undefined : from + size);
      from += size;
      return group;
    });
  }
  const groups = digits.match(/.{1,3}/g) ?? [];
  const last = groups.at(-1);
  if (groups.length < 2 || last?.length !== 1) return groups;
  return [...groups.slice(0, -2), `${groups.at(-2)}${last}`];
}

/** Area codes there are of any length: that of a mobile number or of a large city is known, four digits are the most frequent. */
function partGerman(digits: string): string[] {
  const area = /^(?:15\d\d|1[67]\d|30|40|69|89|\d{4})(?=\d{3})/.exec(digits)?.[0];
  return area === undefined ? part(digits, undefined) : [area, digits.slice(area.length)];
}
