import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarClock, Ellipsis, SendHorizontal, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { orpc, readFailure, type api } from '../../../shared/api.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import type { Conversation } from '../../../shared/conversations/conversations-queries.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { t } from '../../../shared/messages.ts';
import { sayRefusal } from '../../../shared/outbox/outbox-words.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { notify } from '../../../ui/toast.ts';
import { ChangeDialog } from './change-dialog.tsx';

type Waiting = Awaited<ReturnType<typeof api.conversations.listScheduled>>['items'][number];
const MOST_SHOWN = 50;

/** What waits for its time in this conversation, and what can be done with it until then. */
export function ScheduledStrip({ conversation }: { conversation: Conversation }) {
  const { id: conversationId } = conversation;
  const [isOpen, setIsOpen] = useState(false);
  const [changing, setChanging] = useState<Waiting | null>(null);
  const queryClient = useQueryClient();
  const options = orpc.conversations.listScheduled.queryOptions({
    input: { conversationId, limit: MOST_SHOWN },
  });
  const { data } = useQuery(options);
  useLiveQuery(['messages'], [options.queryKey], {
    concerns: ({ conversationIds }) =>
      !Array.isArray(conversationIds) || conversationIds.includes(conversationId),
  });
  const change = useAction(orpc.conversations.changeScheduled.mutationOptions());
  const sendNow = useAction(orpc.conversations.sendScheduled.mutationOptions());
  const withdraw = useAction(orpc.conversations.withdraw.mutationOptions());
  const items = data?.items ?? [];
  if (items.length === 0) return null;

  async function act(run: () => Promise<unknown>, done: string) {
    try {
      await run();
      notify.success(done);
      setChanging(null);
    } catch (error) {
      // What was typed stays in the open dialog.
      notify.error(sayRefusal(readFailure(error)));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.conversations.key() });
  }

  return (
    <div className="mx-2 mt-1 rounded-card bg-sunken text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-card px-3 py-1.5 text-left hover:bg-hover [&_svg]:size-4"
      >
        <CalendarClock aria-hidden className="text-muted" />
        {t('composer.scheduled', { n: items.length })}
      </button>
      {isOpen ? (
        <ul className="max-h-48 overflow-y-auto px-1 pb-1">
          {items.map((one) => (
            <li key={one.id} className="flex min-w-0 items-center gap-2 px-2 py-0.5">
              <span className="shrink-0 text-muted tabular-nums">{formatDateTime(one.sendAt)}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {one.text}
              </span>
              <Menu
                trigger={
                  <IconButton
                    size="small"
                    label={t('composer.scheduled.acts', { text: one.text.slice(0, 40) })}
                  >
                    <Ellipsis aria-hidden />
                  </IconButton>
                }
                entries={[
                  {
                    label: t('composer.scheduled.sendNow'),
                    icon: <SendHorizontal />,
                    onSelect: () =>
                      void act(
                        () => sendNow.mutateAsync({ conversationId, messageId: one.id }),
                        t('composer.scheduled.sent'),
                      ),
                  },
                  {
                    label: t('composer.scheduled.change'),
                    icon: <CalendarClock />,
                    onSelect: () => setChanging(one),
                  },
                  'separator',
                  {
                    label: t('composer.scheduled.cancel'),
                    icon: <Trash2 />,
                    danger: true,
                    onSelect: () =>
                      void act(
                        () => withdraw.mutateAsync({ conversationId, messageId: one.id }),
                        t('composer.scheduled.cancelled'),
                      ),
                  },
                ]}
              />
            </li>
          ))}
        </ul>
      ) : null}
      {changing ? (
        <ChangeDialog
          message={changing}
          windowEndsAt={changing.type === 'template' ? null : conversation.windowEndsAt}
          isSaving={change.isPending}
          onChange={(part) =>
            void act(
              () => change.mutateAsync({ conversationId, messageId: changing.id, ...part }),
              t('composer.scheduled.changed'),
            )
          }
          onClose={() => setChanging(null)}
        />
      ) : null}
    </div>
  );
}
