/** A player asks for pieces; anything but one plain range is answered with the whole file. */
export function readRange(
  header: string | null,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const found = /^bytes=(\d*)-(\d*)$/.exec(header ?? '');
  if (!found || (found[1] === '' && found[2] === '')) return null;
  const isSuffix = found[1] === '';
  const start = isSuffix ? Math.max(0, size - Number(found[2])) : Number(found[1]);
  const end = isSuffix || found[2] === '' ? size - 1 : Math.min(size - 1, Number(found[2]));
  return start <= end && start < size ? { start, end } : 'unsatisfiable';
}
