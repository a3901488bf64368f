import { AlarmClock, CircleCheck, CirclePause, Flag, GitMerge, Inbox, Tag, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime, formatList, formatTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import type { TimelineItem } from './timeline-window.ts';

type Activity = Extract<TimelineItem, { kind: 'act' }>;

const statusIcons = {
  open: <Inbox />,
  waiting: <CirclePause />,
  resolved: <CircleCheck />,
  snoozed: <AlarmClock />,
};

/** What a colleague, or the product by itself, did with the conversation. */
export function ActivityRow({ item }: { item: Activity }) {
  return (
    <p data-item={item.id} className="flex items-center justify-center gap-2 px-3 pb-2 text-sm text-muted">
      <span aria-hidden className="shrink-0 [&_svg]:size-4">
        {iconOf(item.what)}
      </span>
      <span dir="auto" className="min-w-0 wrap-anywhere">
        {sayActivity(item)}{' '}
        <time dateTime={item.at} className="tabular-nums">
          {formatTime(item.at)}
        </time>
      </span>
    </p>
  );
}

function iconOf(what: Activity['what']): ReactNode {
  switch (what.act) {
    case 'assigned':
      return <UserRound />;
    case 'status':
      return statusIcons[what.status];
    case 'priority':
      return <Flag />;
    case 'labelled':
      return <Tag />;
    default:
      return <GitMerge />;
  }
}

function sayActivity({ by, what }: Activity): string {
  const who = { by: by?.name ?? '', isItself: String(by === null) };
  switch (what.act) {
    case 'assigned':
      return sayAssigned(by, what, who);
    case 'status':
      if (what.status !== 'snoozed') return t(`chat.act.${what.status}`, who);
      return t('chat.act.snoozed', {
        ...who,
        when: what.snoozedUntil ? formatDateTime(what.snoozedUntil) : '',
      });
    case 'priority':
      return t('chat.act.priority', { ...who, priority: t(`inbox.priority.${what.priority}`) });
    case 'labelled': {
      const [added, removed] = [formatList(what.added, 'and'), formatList(what.removed, 'and')];
      if (removed === '') return t('chat.act.labelAdded', { ...who, added });
      return added === ''
        ? t('chat.act.labelRemoved', { ...who, removed })
        : t('chat.act.labelBoth', { ...who, added, removed });
    }
    case 'merged':
      return t('chat.act.merged', { ...who, names: formatList(what.names, 'and') });
    default:
      return t('chat.act.unmerged', who);
  }
}

function sayAssigned(
  by: Activity['by'],
  { to, team }: Extract<Activity['what'], { act: 'assigned' }>,
  who: { by: string; isItself: string },
): string {
  const nameOf = (one: { name: string | null }) => one.name ?? t('chat.act.gone');
  if (to) {
    if (by && by.id === to.id) return t('chat.act.took', { by: by.name });
    return t('chat.act.assigned', { ...who, to: nameOf(to) });
  }
  return team ? t('chat.act.team', { ...who, to: nameOf(team) }) : t('chat.act.unassigned', who);
}
