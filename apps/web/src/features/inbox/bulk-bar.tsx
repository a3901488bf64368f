import { useQuery } from '@tanstack/react-query';
import {
  Archive,
  ArchiveRestore,
  CircleCheck,
  Flag,
  Mail,
  MailOpen,
  Pin,
  Tag,
  UserPlus,
  X,
} from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import {
  useChangeConversations,
  usePinConversations,
  type ConversationChange,
} from '../../shared/conversations/use-change-conversations.ts';
import type { ListSelection } from '../../shared/lists/use-list-selection.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { priorityEntries } from '../teamwork/priority-menu.tsx';
import { SnoozeDialog } from '../teamwork/snooze-dialog.tsx';
import { statusEntries } from '../teamwork/status-button.tsx';

/** What can be done with all that are chosen, at the foot of the list. */
export function BulkBar({ rows, selection }: { rows: readonly Conversation[]; selection: ListSelection }) {
  const change = useChangeConversations();
  const pin = usePinConversations();
  const [isPicking, setPicking] = useState(false);
  const mayChange = can('messages:update');
  const [isBusy, setBusy] = useState(false);
  const { user } = useSession();
  const assignees = useQuery(
    orpc.conversations.listAssignees.queryOptions({ input: {}, enabled: mayChange }),
  );
  const labels = useQuery(labelsOptions());
  const chosen = rows.filter(({ id }) => selection.selected.has(id));
  const hasUnread = chosen.some(({ unread }) => unread > 0);
  const areArchived = chosen.every(({ isArchived }) => isArchived);
  const arePinned = chosen.every(({ isPinned }) => isPinned);

  /** What all that are chosen have in common. */
  const shared = <Value,>(read: (of: Conversation) => Value): Value | undefined => {
    const values = new Set(chosen.map(read));
    return values.size === 1 ? [...values][0] : undefined;
  };

  async function run(acting: (ids: readonly string[]) => Promise<void>) {
    setBusy(true);
    await acting([...selection.selected]);
    setBusy(false);
    selection.clear();
  }
  const act = (what: ConversationChange) => run((ids) => change(ids, what));
  const snooze = (until: Date) => void act({ status: 'snoozed', snoozedUntil: until.toISOString() });

  return (
    <div
      role="toolbar"
      aria-label={t('inbox.bulk', { n: selection.selected.size })}
      aria-busy={isBusy}
      inert={isBusy}
      className="flex shrink-0 flex-wrap items-center gap-0.5 border-t border-border bg-raised px-2 py-1.5 pb-[max(0.375rem,env(safe-area-inset-bottom))]"
    >
      <span role="status" className="mr-auto pl-2 font-medium tabular-nums">
        {t('inbox.bulk', { n: selection.selected.size })}
      </span>
      {selection.selected.size < Math.min(rows.length, 200) ? (
        <Button
          size="small"
          variant="ghost"
          onClick={() => selection.change(new Set(rows.slice(0, 200).map(({ id }) => id)))}
        >
          {t('inbox.selectLoaded')}
        </Button>
      ) : null}
      <IconButton label={t('inbox.clearSelection')} onClick={selection.clear}>
        <X aria-hidden />
      </IconButton>
      <div className="flex w-full items-center gap-0.5">
        {mayChange ? (
          <>
            <Menu
              align="start"
              trigger={
                <IconButton label={t('inbox.act.assign')}>
                  <UserPlus aria-hidden />
                </IconButton>
              }
              entries={[
                ...(user
                  ? [{ label: t('inbox.act.toMe'), onSelect: () => void act({ assigneeId: user.id }) }]
                  : []),
                { label: t('inbox.act.toNobody'), onSelect: () => void act({ assigneeId: null }) },
                'separator',
                ...(assignees.data?.people ?? [])
                  .filter(({ id }) => id !== user?.id)
                  .slice(0, 30)
                  .map(({ id, name }) => ({ label: name, onSelect: () => void act({ assigneeId: id }) })),
                ...(assignees.data?.teams ?? []).slice(0, 20).map(({ id, name }) => ({
                  label: t('inbox.act.toTeam', { name }),
                  onSelect: () => void act({ assigneeId: null, teamId: id }),
                })),
              ]}
            />
            <Menu
              align="start"
              trigger={
                <IconButton label={t('inbox.act.status')}>
                  <CircleCheck aria-hidden />
                </IconButton>
              }
              entries={statusEntries({
                status: shared(({ status }) => status),
                onStatus: (status) => void act({ status }),
                onSnooze: snooze,
                onPickTime: () => setPicking(true),
              })}
            />
            <Menu
              align="start"
              trigger={
                <IconButton label={t('inbox.priority')}>
                  <Flag aria-hidden />
                </IconButton>
              }
              entries={priorityEntries(
                shared(({ priority }) => priority),
                (priority) => void act({ priority }),
              )}
            />
            <Menu
              align="start"
              trigger={
                <IconButton label={t('inbox.act.label')}>
                  <Tag aria-hidden />
                </IconButton>
              }
              entries={(labels.data?.items ?? []).slice(0, 40).map(({ name }) => {
                const isOnAll = chosen.every((one) => one.labels.includes(name));
                return {
                  label: name,
                  checked: isOnAll,
                  onSelect: () => void act(isOnAll ? { removeLabels: [name] } : { addLabels: [name] }),
                };
              })}
            />
            <IconButton
              label={t(hasUnread ? 'inbox.act.read' : 'inbox.act.unread')}
              onClick={() => void act({ isRead: hasUnread })}
            >
              {hasUnread ? <MailOpen aria-hidden /> : <Mail aria-hidden />}
            </IconButton>
          </>
        ) : null}
        <IconButton
          label={t(arePinned ? 'inbox.act.unpin' : 'inbox.act.pin')}
          onClick={() => void run((ids) => pin(ids, !arePinned))}
        >
          <Pin aria-hidden />
        </IconButton>
        {mayChange ? (
          <IconButton
            label={t(areArchived ? 'inbox.act.unarchive' : 'inbox.act.archive')}
            onClick={() => void act({ isArchived: !areArchived })}
          >
            {areArchived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
          </IconButton>
        ) : null}
      </div>
      {isPicking ? <SnoozeDialog onPick={snooze} onClose={() => setPicking(false)} /> : null}
    </div>
  );
}
