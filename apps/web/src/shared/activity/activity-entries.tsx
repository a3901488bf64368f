import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { formatDateTime, formatRelativeTime } from '../formats.ts';
import { t } from '../messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import { ActivityTypeMark } from './activity-type-mark.tsx';
import { describeActivity, resourceName } from './activity-words.ts';
import { placeOf } from './activity-places.ts';
import type { Activity } from './activity.ts';
import type { GroupedActivity } from './group-activities.ts';

/** The rows of the feed: who did what, where it leads, and how often where it repeats. */
export function ActivityEntries({ rows }: { rows: readonly GroupedActivity[] }) {
  return (
    <ul className="border-t border-border" aria-label={t('activity.title')}>
      {rows.map((row) => (
        <Entry key={row.at(-1)!.id} row={row} />
      ))}
    </ul>
  );
}

function Entry({ row }: { row: GroupedActivity }) {
  const [isOpen, setOpen] = useState(false);
  const [item] = row;
  const times = useId();
  const said = describeActivity(item);
  const hasOneAddress = row.every(({ ipAddress }) => ipAddress === item.ipAddress);
  return (
    <li className="flex flex-wrap items-center gap-x-3 border-b border-border px-5 py-2.5 last:border-b-0 max-sm:px-4">
      <Avatar name={item.userName} image={item.userAvatar} />
      <div className="min-w-0 flex-1">
        <p className="line-clamp-2 break-words">
          <span className="font-medium">{item.userName}</span>{' '}
          <Said item={item} title={said}>
            {row.length > 1 ? t('activity.repeated', { said, n: row.length }) : said}
          </Said>
        </p>
        <p className="mt-0.5 text-sm break-words text-muted">
          {resourceName(item.resource)} · <Time item={item} />
          {item.ipAddress && hasOneAddress ? ` · ${item.ipAddress}` : ''}
          {row.length > 1 ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={times}
              onClick={() => setOpen(!isOpen)}
              className="ml-2 inline-flex min-h-6 items-center gap-1 rounded-md px-1 font-medium text-primary-text hover:bg-hover"
            >
              {t(isOpen ? 'activity.fold' : 'activity.unfold')}
              <ChevronDown
                aria-hidden
                className={classNames('size-3.5 transition-transform', isOpen && 'rotate-180')}
              />
            </button>
          ) : null}
        </p>
      </div>
      <ActivityTypeMark type={item.type} />
      {isOpen ? (
        <ol id={times} className="mt-2 w-full border-l-2 border-border pl-3 text-sm text-muted sm:ml-11">
          {row.map((one) => (
            <li key={one.id} className="py-0.5">
              <time dateTime={one.occurredAt}>{formatDateTime(one.occurredAt)}</time>
              {one.ipAddress ? ` · ${one.ipAddress}` : ''}
            </li>
          ))}
        </ol>
      ) : null}
    </li>
  );
}

/** What was done, as the way to it where there is one. */
function Said({ item, title, children }: { item: Activity; title: string; children: ReactNode }) {
  const place = placeOf(item);
  if (!place) return <span title={title}>{children}</span>;
  return (
    <Link
      to={place.to}
      search={place.search ?? {}}
      title={title}
      className="rounded-sm underline decoration-control underline-offset-3 hover:text-primary-text hover:decoration-current"
    >
      {children}
    </Link>
  );
}

function Time({ item }: { item: Activity }) {
  return (
    <time dateTime={item.occurredAt} title={formatDateTime(item.occurredAt)}>
      {formatRelativeTime(item.occurredAt)}
    </time>
  );
}
