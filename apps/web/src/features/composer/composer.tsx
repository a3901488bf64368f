import { useQuery } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { orpc } from '../../shared/api.ts';
import {
  awaitConversationCommand,
  useConversationCommand,
  type ConversationCommand,
} from '../../shared/conversations/conversation-commands.ts';
import type { Conversation } from '../../shared/conversations/conversations-queries.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { classNames } from '../../ui/class-names.ts';
import { useBottomBar } from '../../ui/use-bottom-bar.ts';
import { NoteBox } from './notes/note-box.tsx';
import { ReplyBox } from './reply-box.tsx';
import { useKeyboardInset } from './use-keyboard-inset.ts';
import { useWritingState } from './use-writing-state.ts';
import { WindowLeft } from './window-left.tsx';

type Mode = 'reply' | 'note';
const channelsOptions = orpc.channels.list.queryOptions({ input: {}, staleTime: 60_000 });

/** Where an answer is written, or a note that only colleagues read. */
export function Composer({ conversation }: { conversation: Conversation }) {
  useSession();
  if (can('messages:create')) return <Writing key={conversation.id} conversation={conversation} />;
  return (
    <p className="flex items-center gap-2 border-t border-border bg-raised px-4 py-3 text-muted [&_svg]:size-4">
      <Eye aria-hidden />
      {t('composer.readOnly')}
    </p>
  );
}

function Writing({ conversation }: { conversation: Conversation }) {
  const id = useId();
  const [mode, setMode] = useState<Mode>('reply');
  const bottomBar = useBottomBar();
  const inset = useKeyboardInset();
  const { data: channels } = useQuery(channelsOptions);
  useLiveQuery(['channels'], [channelsOptions.queryKey]);
  const channel = channels && (channels.items.find((one) => one.id === conversation.channelId) ?? null);
  const { bar, left } = useWritingState(conversation, channel);

  const focusField = () => document.getElementById(`${id}-field`)?.querySelector('textarea')?.focus();
  const show = (next: Mode) => {
    setMode(next);
    // The field of the other tab is there with the next painting.
    requestAnimationFrame(focusField);
  };
  useConversationCommand(conversation.id, 'reply', () => show('reply'));
  useConversationCommand(conversation.id, 'note', () => show('note'));
  // What belongs to an answer is done where answers are written.
  const inReply = (name: ConversationCommand) =>
    mode === 'note'
      ? () => {
          setMode('reply');
          awaitConversationCommand(conversation.id, name);
        }
      : null;
  useConversationCommand(conversation.id, 'template', inReply('template'));
  useConversationCommand(conversation.id, 'quickReply', inReply('quickReply'));

  function moveTab(event: KeyboardEvent) {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    const next = event.key === 'Home' ? 'reply' : event.key === 'End' || mode === 'reply' ? 'note' : 'reply';
    setMode(next);
    document.getElementById(`${id}-${next}`)?.focus();
  }

  return (
    <section
      ref={bottomBar}
      style={inset > 0 ? { marginBottom: inset } : undefined}
      aria-label={t('composer.label')}
      className={classNames(
        'shrink-0 border-t border-border pb-[env(safe-area-inset-bottom)]',
        mode === 'note' ? 'bg-warning-soft' : 'bg-raised',
      )}
    >
      <div className="flex items-center gap-2 px-2 pt-1">
        <div role="tablist" aria-label={t('composer.modes')} onKeyDown={moveTab} className="flex">
          {(['reply', 'note'] as const).map((value) => (
            <button
              key={value}
              type="button"
              role="tab"
              id={`${id}-${value}`}
              aria-selected={mode === value}
              aria-controls={`${id}-field`}
              tabIndex={mode === value ? 0 : -1}
              onClick={() => show(value)}
              className={classNames(
                'h-8 border-b-2 px-2.5 text-sm font-medium transition-colors focus-visible:-outline-offset-2',
                mode === value ? 'border-primary text-text' : 'border-transparent text-muted hover:text-text',
              )}
            >
              {t(`composer.mode.${value}`)}
            </button>
          ))}
        </div>
        {mode === 'reply' ? <WindowLeft left={left} bar={bar} /> : null}
      </div>
      <div role="tabpanel" id={`${id}-field`} aria-labelledby={`${id}-${mode}`}>
        {mode === 'reply' ? (
          <ReplyBox conversation={conversation} channel={channel} bar={bar} />
        ) : (
          <NoteBox conversation={conversation} onDone={() => show('reply')} />
        )}
      </div>
    </section>
  );
}
