import type { ActivityType } from '@app/domain/activity/activity-rules';
import type { Activity } from './activity.ts';

/** What comes again and again by itself: the same of one person is one line, whatever others did between. */
const ROUTINE: ReadonlySet<ActivityType> = new Set(['login', 'logout', 'view']);

/** Entries that say the same of one person, newest first; one alone is a row of one. */
export type GroupedActivity = readonly [Activity, ...Activity[]];

/** Folds what repeats into one row, where the newest of it stands; the entries are newest first. */
export function groupActivities(items: readonly Activity[]): GroupedActivity[] {
  const rows: [Activity, ...Activity[]][] = [];
  const newestOf = new Map<string, [Activity, ...Activity[]]>();
  for (const item of items) {
    const person = item.userId ?? item.userName;
    const before = ROUTINE.has(item.type) ? newestOf.get(person) : rows.at(-1);
    if (before && isSame(before[0], item)) {
      before.push(item);
      continue;
    }
    const row: [Activity, ...Activity[]] = [item];
    rows.push(row);
    newestOf.set(person, row);
  }
  return rows;
}

function isSame(one: Activity, other: Activity): boolean {
  return (
    one.userId === other.userId &&
    one.userName === other.userName &&
    one.type === other.type &&
    one.subject?.id === other.subject?.id &&
    one.description === other.description &&
    JSON.stringify(one.fact) === JSON.stringify(other.fact)
  );
}
