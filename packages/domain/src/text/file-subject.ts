const LONGEST = 40;

/** A name as a part of a file name that every disk takes: `Été & VIP` becomes `ete-vip`; empty where no letter is left. */
export function fileSubject(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '');
}
