import { REASON_HEADING } from '@app/domain/contact-imports/import-headings';
import { readTarget, type ImportTarget } from '@app/domain/contact-imports/import-mapping';
import { OFFLINE_PREFIX } from '../../shared/offline/offline-copy.ts';
import { ownerHere } from '../../shared/session.ts';

type Kept = { headings: readonly string[]; targets: readonly (ImportTarget | null)[] };

const MOST = 20;
const placeHere = () => `${OFFLINE_PREFIX}import-columns.${ownerHere()}`;

/** Keeps what somebody chose for columns of these headings: rows that failed are mended and imported again, and the next file often has the same. */
export function keepColumns(headings: readonly string[], targets: readonly (ImportTarget | null)[]): void {
  const [names, meant] = withoutReason(headings, targets);
  const others = readKept().filter((kept) => !areSame(kept.headings, names));
  try {
    localStorage.setItem(
      placeHere(),
      JSON.stringify([{ headings: names, targets: meant }, ...others].slice(0, MOST)),
    );
  } catch {
    // Without storage the columns are chosen anew.
  }
}

/** What was chosen for these headings before; those of rows that failed have their reason behind them. */
export function findKeptColumns(headings: readonly string[]): (ImportTarget | null)[] | undefined {
  if (headings.length === 0) return undefined;
  const [names] = withoutReason(headings, []);
  const kept = readKept().find((one) => areSame(one.headings, names));
  return kept && headings.map((_, at) => kept.targets[at] ?? null);
}

function withoutReason<Target>(headings: readonly string[], targets: readonly Target[]) {
  const width = headings.at(-1) === REASON_HEADING ? headings.length - 1 : headings.length;
  return [headings.slice(0, width), targets.slice(0, width)] as const;
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((heading, at) => heading === other[at]);
}

function readKept(): Kept[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(placeHere()) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter(
      (kept): kept is Kept =>
        Array.isArray(kept?.headings) &&
        Array.isArray(kept?.targets) &&
        kept.targets.every((target: unknown) => target === null || readTarget(target) !== undefined),
    );
  } catch {
    return [];
  }
}
