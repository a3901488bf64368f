import { formatPhone } from '@app/domain/contacts/format-phone';
import { Link } from '@tanstack/react-router';
import { BellOff, Check, CheckCheck, CircleAlert, Clock, MoonStar, Pin } from 'lucide-react';
import { memo, type MouseEvent } from 'react';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { DueMarker } from '../../shared/conversations/due-marker.tsx';
import { LabelChip } from '../../shared/conversations/label-chip.tsx';
import { PriorityMark } from '../../shared/conversations/priority-mark.tsx';
import { sayLine } from '../../shared/conversations/line-words.ts';
import { formatCapped, formatDateTime, formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { ViewersMark } from '../../shared/presence/conversation-viewers.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { timeLabel } from './time-label.ts';

/** Of a row with marks, and of one that has none. */
const ROW_HEIGHT = 84;
const SHORT_ROW_HEIGHT = 62;

/** What stands in the third line is known before it is drawn; a row without it is lower. */
export function rowHeight(conversation: Conversation): number {
  return hasMarks(conversation) ? ROW_HEIGHT : SHORT_ROW_HEIGHT;
}

function hasMarks({ contact, status, assignee, team, due, labels }: Conversation): boolean {
  const isOrdinary = status === 'open' && due === null;
  return !isOrdinary || labels.length + contact.tags.length > 0 || assignee !== null || team !== null;
}

const MOST_UNREAD = 9;
const MOST_LABELS = 2;
const MOST_TAGS = 2;
const MOST_MARKS = 3;

interface RowProps {
  conversation: Conversation;
  /** Through which channel, where there are several. */
  channel: string | undefined;
  isOpen: boolean;
  isSelected: boolean;
  /** Undefined for who may change nothing. */
  onSelect: ((id: string, on: boolean, range: boolean) => void) | undefined;
  /** Where the row leads and how it says its time, on a page that is not the inbox; stable. */
  elsewhere?: RowElsewhere | undefined;
}

export interface RowElsewhere {
  place: (id: string) => { to: string; search: (before: Record<string, unknown>) => Record<string, unknown> };
  time: (at: string) => string;
}

const inInbox: RowElsewhere = {
  place: (id) => ({
    to: paths.conversation(id),
    search: (before) => ({ ...before, message: undefined }),
  }),
  time: (at) => timeLabel(at),
};

export const ConversationRow = memo(function ConversationRow(props: RowProps) {
  const { conversation, channel, isOpen, isSelected, onSelect, elsewhere = inInbox } = props;
  const { id, contact, unread, lastMessage } = conversation;
  const line = conversation.draft ?? lastMessage?.line;
  const name = contact.name || formatPhone(contact.phone ?? '') || t('inbox.noName');
  return (
    <div
      className={classNames(
        'group/row relative flex h-full gap-3 border-b border-border px-3 py-2.5 transition-colors',
        isSelected ? 'bg-selected' : isOpen ? 'bg-primary-soft' : 'hover:bg-hover',
      )}
    >
      <span className="relative size-8 shrink-0">
        <Avatar
          name={name}
          className={
            onSelect &&
            (isSelected ? 'invisible' : 'group-focus-within/row:invisible group-hover/row:invisible')
          }
        />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-1.5">
          <Link
            {...elsewhere.place(id)}
            data-conversation={id}
            aria-current={isOpen ? 'page' : undefined}
            aria-label={sayRow(conversation, name, channel)}
            className={classNames(
              'min-w-0 flex-1 truncate after:absolute after:inset-0',
              unread > 0 ? 'font-semibold' : 'font-medium',
            )}
          >
            <bdi>{name}</bdi>
          </Link>
          <RowPriority priority={conversation.priority} />
          {conversation.isMuted ? <BellOff aria-hidden className="size-3.5 shrink-0 text-muted" /> : null}
          {conversation.isPinned ? <Pin aria-hidden className="size-3.5 shrink-0 text-muted" /> : null}
          <time
            dateTime={lastMessage?.at ?? conversation.lastActivityAt}
            title={formatDateTime(lastMessage?.at ?? conversation.lastActivityAt)}
            className={classNames(
              'shrink-0 text-xs tabular-nums',
              unread > 0 && !conversation.isMuted ? 'font-semibold text-primary-text' : 'text-muted',
            )}
          >
            {elsewhere.time(lastMessage?.at ?? conversation.lastActivityAt)}
          </time>
        </div>
        <div className="flex items-center gap-1.5">
          <p dir="auto" className="flex min-w-0 flex-1 items-center gap-1 text-muted">
            {conversation.draft === null ? (
              <StateMark conversation={conversation} />
            ) : (
              <span className="shrink-0 font-medium text-danger">{t('inbox.draft')}</span>
            )}
            <span className="truncate">{line ? sayLine(line) : t('inbox.noMessage')}</span>
          </p>
          {channel === undefined ? null : (
            <span title={channel} className="max-w-24 shrink-0 truncate text-xs text-muted">
              {channel}
            </span>
          )}
          {/* It is higher than the line. */}
          <span className="-my-1 flex shrink-0 empty:hidden">
            <ViewersMark conversationId={id} />
          </span>
          {unread > 0 ? (
            <span
              className={classNames(
                'min-w-5 shrink-0 rounded-full px-1.5 text-center text-xs leading-5 font-semibold tabular-nums',
                conversation.isMuted ? 'bg-neutral-soft text-text' : 'bg-primary text-on-primary',
              )}
            >
              {formatCapped(unread, MOST_UNREAD)}
            </span>
          ) : null}
        </div>
        {hasMarks(conversation) ? <RowMarks conversation={conversation} /> : null}
      </div>
      {onSelect ? (
        <span
          className={classNames(
            'absolute top-2.5 left-3 grid size-8 place-items-center',
            !isSelected && 'opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100',
          )}
        >
          <Checkbox
            hideLabel
            label={t('inbox.select', { name })}
            checked={isSelected}
            onChange={() => undefined}
            onClick={(event: MouseEvent<HTMLInputElement>) =>
              onSelect(id, event.currentTarget.checked, event.shiftKey)
            }
          />
        </span>
      ) : null}
    </div>
  );
});

function RowPriority({ priority }: Pick<Conversation, 'priority'>) {
  if (priority === 'normal') return null;
  return (
    <span title={t('inbox.priorityIs', { priority: t(`inbox.priority.${priority}`) })}>
      <PriorityMark priority={priority} className="size-4" />
    </span>
  );
}

function RowMarks({ conversation }: { conversation: Conversation }) {
  const { contact, status, assignee, team, due, labels } = conversation;
  const tags = contact.tags.slice(0, Math.min(MOST_TAGS, MOST_MARKS - Math.min(labels.length, MOST_LABELS)));
  const more = Math.max(0, labels.length - MOST_LABELS) + contact.tags.length - tags.length;
  return (
    <div className="mt-0.5 flex h-5.5 items-center gap-1 overflow-hidden">
      {status !== 'open' ? (
        <Badge
          tone={status === 'snoozed' ? 'info' : 'neutral'}
          icon={status === 'snoozed' ? <MoonStar /> : undefined}
        >
          {status === 'snoozed' && conversation.snoozedUntil
            ? t('inbox.snoozedUntil', { time: timeUntil(conversation.snoozedUntil) })
            : t(`inbox.status.${status}`)}
        </Badge>
      ) : null}
      <DueMarker brief due={due} />
      {labels.slice(0, MOST_LABELS).map((name) => (
        <LabelChip key={name} name={name} className="min-w-12" />
      ))}
      {tags.map((tag) => (
        <Badge key={tag} className="shrink">
          {tag}
        </Badge>
      ))}
      {more > 0 ? <span className="shrink-0 text-xs text-muted">+{more}</span> : null}
      <span className="ml-auto flex shrink-0 items-center gap-1">
        {assignee ? (
          <span title={t('inbox.assignedTo', { name: assignee.name })}>
            <Avatar name={assignee.name} image={assignee.avatar} size="small" className="size-5" />
          </span>
        ) : team ? (
          <span className="max-w-24 truncate text-xs text-muted">{team.name}</span>
        ) : null}
      </span>
    </div>
  );
}

function timeUntil(at: string): string {
  return Date.parse(at) - Date.now() < 24 * 3_600_000
    ? timeLabel(at)
    : timeLabel(at, Date.parse(at) + 169 * 3_600_000);
}

/** How far the last message of ours has come. */
function StateMark({ conversation: { lastMessage } }: { conversation: Conversation }) {
  const state = lastMessage?.state ?? null;
  if (state === null) return null;
  const style = classNames(
    'size-4 shrink-0',
    state === 'read' && 'text-info',
    (state === 'failed' || state === 'unknown') && 'text-danger',
  );
  if (state === 'queued' || state === 'sending') return <Clock aria-hidden className={style} />;
  if (state === 'sent') return <Check aria-hidden className={style} />;
  if (state === 'delivered' || state === 'read') return <CheckCheck aria-hidden className={style} />;
  return <CircleAlert aria-hidden className={style} />;
}

/** All that the row shows, for who hears it. */
function sayRow(conversation: Conversation, name: string, channel: string | undefined): string {
  const { unread, lastMessage, isPinned, isMuted, draft, status, priority, assignee, labels } = conversation;
  return [
    name,
    unread > 0 ? t('inbox.unreadCount', { n: unread }) : '',
    lastMessage?.state ? t(`inbox.state.${lastMessage.state}`) : '',
    draft === null ? '' : `${t('inbox.draft')} ${sayLine(draft)}`,
    lastMessage ? sayLine(lastMessage.line) : t('inbox.noMessage'),
    formatDateTime(lastMessage?.at ?? conversation.lastActivityAt),
    channel === undefined ? '' : t('inbox.through', { channel }),
    status === 'open' ? '' : t(`inbox.status.${status}`),
    priority === 'normal' ? '' : t('inbox.priorityIs', { priority: t(`inbox.priority.${priority}`) }),
    assignee ? t('inbox.assignedTo', { name: assignee.name }) : '',
    labels.length > 0 ? t('inbox.labelled', { names: formatList(labels, 'and') }) : '',
    isPinned ? t('inbox.pinned') : '',
    isMuted ? t('inbox.muted') : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}
