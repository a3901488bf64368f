import { ChevronDown, SmilePlus } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { lineText } from '../../shared/conversations/message-line.tsx';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useOutbox } from '../../shared/outbox/use-outbox.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { authorName } from '../../shared/conversations/message-author.ts';
import { copyText, mayReply, menuOf, replyTo, type MessageActions } from './message-actions.tsx';
import { Foot, Head, Original, Quote } from './message-frame.tsx';
import { MessageBody, RevokedBody } from './parts/message-body.tsx';
import { ReactionPicker, Reactions } from './parts/reactions.tsx';
import type { Message } from './timeline-window.ts';
import { useNativeEvent } from './use-native-event.ts';

type Props = {
  message: Message;
  conversationId: string;
  contactName: string;
  /** The one before is of the same side and moment: its head is not said again. */
  isFollowing: boolean;
  /** So is the one after it: what is put before a message never changes its height. */
  isFollowed: boolean;
  isHighlighted: boolean;
  find: string | undefined;
  acts: MessageActions;
  onJump: (messageId: string) => void;
  onDetails: (message: Message) => void;
};

/** One message in its bubble, with what it answers, who said it, how far it came and what can be done with it. */
export const MessageRow = memo(function MessageRow(props: Props) {
  const { message, conversationId, contactName, acts, onDetails } = props;
  const [menu, setMenu] = useState(false);
  const [isPicking, setIsPicking] = useState(false);
  const isOut = message.direction === 'out';
  const who = isOut ? authorName(message) || t('chat.you') : contactName;
  const onReact = () => setIsPicking(true);

  const row = useRef<HTMLElement>(null);
  useNativeEvent(row, 'keydown', (event) => {
    if (event.target !== row.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      r: () => (mayReply(message) ? replyTo(conversationId, message) : undefined),
      e: () => (mayReply(message) ? onReact() : undefined),
      c: () => (message.text === null ? undefined : void copyText(message.text)),
      i: () => onDetails(message),
      Enter: () => setMenu(true),
      ' ': () => setMenu(true),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
  useNativeEvent(row, 'contextmenu', (event) => {
    // What is selected has a menu of the browser's own, and so have links.
    if (getSelection()?.isCollapsed === false || (event.target as HTMLElement).closest('a')) return;
    event.preventDefault();
    setMenu(true);
  });

  // The menu itself is made when it is opened: a chat has hundreds of messages.
  const menuButton = (
    <IconButton size="small" tabIndex={-1} label={t('chat.menu')} onClick={() => setMenu(true)}>
      <ChevronDown aria-hidden />
    </IconButton>
  );
  return (
    <article
      ref={row}
      data-item={message.id}
      data-message=""
      tabIndex={-1}
      aria-label={`${who}, ${formatDateTime(message.at)}: ${message.isRevoked ? t('chat.deleted') : lineText(message)}${
        message.state === null ? '' : `, ${t(`chat.state.${message.state}`)}`
      }`}
      className={classNames(
        'group/message relative flex px-3 outline-none md:px-6',
        isOut ? 'justify-end' : 'justify-start',
        message.reactions.length > 0 ? 'pb-6' : props.isFollowed ? 'pb-0.5' : 'pb-2',
      )}
    >
      <div
        className={classNames(
          'flex max-w-[min(36rem,88%)] min-w-0 items-start gap-1',
          isOut ? 'flex-row-reverse' : 'flex-row',
        )}
      >
        <div className="relative min-w-0">
          <div
            className={classNames(
              'min-w-16 rounded-lg px-2.5 pt-1.5 pb-1 text-bubble-text shadow-xs transition-shadow',
              'group-focus-visible/message:outline-2 group-focus-visible/message:outline-offset-2 group-focus-visible/message:outline-(--ring)',
              isOut ? 'rounded-te-none bg-bubble-own' : 'rounded-ts-none bg-bubble',
              props.isHighlighted && 'ring-2 ring-warning',
              message.isTriedAgain && 'outline-1 -outline-offset-1 outline-bubble-muted outline-dashed',
            )}
          >
            <Head message={message} isFollowing={props.isFollowing} />
            {message.quoted ? (
              <Quote message={message} contactName={contactName} onJump={props.onJump} />
            ) : null}
            {message.isRevoked ? <RevokedBody /> : <MessageBody message={message} find={props.find} />}
            <Original message={message} />
            <Foot message={message} acts={acts} />
          </div>
          <Reactions reactions={message.reactions} contactName={contactName} />
        </div>
        <div
          className={classNames(
            'flex shrink-0 opacity-0 group-focus-within/message:opacity-100 group-hover/message:opacity-100 has-aria-expanded:opacity-100',
            'max-md:group-focus/message:opacity-100 pointer-coarse:opacity-60',
          )}
        >
          {menu ? (
            <Menu
              align={isOut ? 'end' : 'start'}
              open
              onOpenChange={setMenu}
              trigger={menuButton}
              entries={menuOf(message, {
                conversationId,
                acts,
                onReact,
                onDetails: () => onDetails(message),
              })}
            />
          ) : (
            menuButton
          )}
          {isPicking ? (
            <Picker message={message} conversationId={conversationId} onClose={() => setIsPicking(false)} />
          ) : null}
        </div>
      </div>
    </article>
  );
});

function Picker({
  message,
  conversationId,
  onClose,
}: {
  message: Message;
  conversationId: string;
  onClose: () => void;
}) {
  const { add } = useOutbox(conversationId);
  const own = message.reactions.find(({ direction }) => direction === 'out')?.emoji;
  return (
    <ReactionPicker
      own={own}
      onClose={onClose}
      onPick={(emoji) => void add({ reaction: { messageId: message.id, emoji: emoji === own ? '' : emoji } })}
      trigger={
        <IconButton size="small" tabIndex={-1} label={t('chat.react')}>
          <SmilePlus aria-hidden />
        </IconButton>
      }
    />
  );
}
