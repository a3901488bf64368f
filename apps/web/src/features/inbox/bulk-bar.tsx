import { snoozePresets, snoozeUntil } from '@app/domain/conversations/teamwork/snooze-presets';
import { useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore, CircleCheck, Mail, MailOpen, Pin, Tag, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { labelsOptions } from '../../shared/conversations/label-queries.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import {
  useChangeConversations,
  type ConversationChange,
} from '../../shared/conversations/use-change-conversations.ts';
import type { ListSelection } from '../../shared/lists/use-list-selection.ts';
import { activeTimeZone } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';

/** What can be done with all that are chosen, at the foot of the list. */
export function BulkBar({ rows, selection }: { rows: readonly Conversation[]; selection: ListSelection }) {
  const change = useChangeConversations();
  const [isBusy, setBusy] = useState(false);
  const { user } = useSession();
  const assignees = useQuery(orpc.conversations.listAssignees.queryOptions({ input: {} }));
  const labels = useQuery(labelsOptions());
  const chosen = rows.filter(({ id }) => selection.selected.has(id));
  const hasUnread = chosen.some(({ unread }) => unread > 0);
  const areArchived = chosen.every(({ isArchived }) => isArchived);
  const arePinned = chosen.every(({ isPinned }) => isPinned);

  async function act(what: ConversationChange) {
    setBusy(true);
    await change([...selection.selected], what);
    setBusy(false);
    selection.clear();
  }

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
          entries={[
            ...(['open', 'waiting', 'resolved'] as const).map((status) => ({
              label: t(`inbox.status.${status}`),
              onSelect: () => void act({ status }),
            })),
            'separator' as const,
            ...snoozePresets.map((preset) => ({
              label: t(`teamwork.snooze.${preset}`),
              onSelect: () =>
                void act({
                  status: 'snoozed',
                  snoozedUntil: snoozeUntil(preset, new Date(), activeTimeZone()).toISOString(),
                }),
            })),
          ]}
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
        <IconButton
          label={t(arePinned ? 'inbox.act.unpin' : 'inbox.act.pin')}
          onClick={() => void act({ isPinned: !arePinned })}
        >
          <Pin aria-hidden />
        </IconButton>
        <IconButton
          label={t(areArchived ? 'inbox.act.unarchive' : 'inbox.act.archive')}
          onClick={() => void act({ isArchived: !areArchived })}
        >
          {areArchived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        </IconButton>
      </div>
    </div>
  );
}
