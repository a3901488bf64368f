import { Link } from '@tanstack/react-router';
import { Bot, ChevronDown, Forward, Megaphone, Smartphone, SmilePlus, Tag, Workflow } from 'lucide-react';
import { memo, useState, type KeyboardEvent, type ReactNode } from 'react';
import { lineText, MessageLine } from '../../shared/conversations/message-line.tsx';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { useOutbox } from '../../shared/outbox/use-outbox.ts';
import { paths } from '../../shared/paths.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Menu } from '../../ui/overlays/menu.tsx';
import { authorName, copyText, mayReply, mayRetry, menuOf, replyTo, type MessageActs } from './message-acts.tsx';
import { MessageMeta, problemText } from './message-status.tsx';
import { MessageBody, RevokedBody } from './parts/message-body.tsx';
import { ReactionPicker, Reactions } from './parts/reactions.tsx';
import type { Message } from './timeline-window.ts';

type Props = {
  message: Message;
  conversationId: string;
  contactName: string;
  /** The one before is of the same side and moment: its head is not said again. */
  isFollowing: boolean;
  isHighlighted: boolean;
  find: string | undefined;
  acts: MessageActs;
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

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
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
  }

  return (
    <article
      data-item={message.id}
      data-message=""
      tabIndex={-1}
      aria-label={`${who}, ${formatDateTime(message.at)}: ${message.isRevoked ? t('chat.deleted') : lineText(message)}${
        message.state === null ? '' : `, ${t(`chat.state.${message.state}`)}`
      }`}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        // What is selected has a menu of the browser's own, and so have links.
        if (getSelection()?.isCollapsed === false || (event.target as HTMLElement).closest('a')) return;
        event.preventDefault();
        setMenu(true);
      }}
      className={classNames(
        'group/message relative flex px-3 outline-none md:px-6',
        isOut ? 'justify-end' : 'justify-start',
        props.isFollowing ? 'pt-0.5' : 'pt-2',
        message.reactions.length > 0 && 'pb-4',
      )}
    >
      <div className={classNames('flex max-w-[min(36rem,88%)] min-w-0 items-start gap-1', isOut ? 'flex-row-reverse' : 'flex-row')}>
        <div className="relative min-w-0">
          <div
            className={classNames(
              'min-w-16 rounded-lg px-2.5 pt-1.5 pb-1 text-bubble-text shadow-xs transition-shadow',
              'group-focus-visible/message:outline-2 group-focus-visible/message:outline-offset-2 group-focus-visible/message:outline-(--ring)',
              isOut ? 'rounded-te-none bg-bubble-own' : 'rounded-ts-none bg-bubble',
              props.isHighlighted && 'ring-2 ring-warning',
              message.isTriedAgain && 'opacity-60',
            )}
          >
            <Head message={message} isFollowing={props.isFollowing} />
            {message.quoted ? <Quote message={message} contactName={contactName} onJump={props.onJump} /> : null}
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
          <Menu
            align={isOut ? 'end' : 'start'}
            open={menu}
            onOpenChange={setMenu}
            trigger={
              <IconButton size="small" tabIndex={-1} label={t('chat.menu')}>
                <ChevronDown aria-hidden />
              </IconButton>
            }
            entries={menu ? menuOf(message, { conversationId, acts, onReact, onDetails: () => onDetails(message) }) : []}
          />
          {isPicking ? (
            <Picker message={message} conversationId={conversationId} onClose={() => setIsPicking(false)} />
          ) : null}
        </div>
      </div>
    </article>
  );
});

function Picker({ message, conversationId, onClose }: { message: Message; conversationId: string; onClose: () => void }) {
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

const authorIcons: Partial<Record<Message['author']['kind'], ReactNode>> = {
  campaign: <Megaphone />,
  bot: <Bot />,
  automation: <Workflow />,
  app: <Smartphone />,
};

/** Who of ours or what machine said it, and what led to it. */
function Head({ message, isFollowing }: { message: Message; isFollowing: boolean }) {
  const { author, campaign, about } = message;
  const isNamed = message.direction === 'out' && !isFollowing;
  return (
    <>
      {isNamed ? (
        <p className="flex min-w-0 items-center gap-1 text-xs font-medium text-bubble-muted [&_svg]:size-3.5 [&_svg]:shrink-0">
          {authorIcons[author.kind] ? <span aria-hidden>{authorIcons[author.kind]}</span> : null}
          {campaign ? (
            <Link to={paths.campaign(campaign.id)} className="truncate underline-offset-2 hover:underline">
              <bdi>{t('chat.ofCampaign', { name: campaign.name })}</bdi>
            </Link>
          ) : (
            <bdi className="truncate">{authorName(message)}</bdi>
          )}
        </p>
      ) : null}
      {about?.isForwarded ? (
        <p className="flex items-center gap-1 text-xs text-bubble-muted italic">
          <Forward aria-hidden className="size-3.5" />
          {t('chat.forwarded')}
        </p>
      ) : null}
      {about?.product ? (
        <p className="flex items-center gap-1 text-xs text-bubble-muted">
          <Tag aria-hidden className="size-3.5" />
          <bdi className="truncate">{t('chat.aboutProduct', { product: about.product })}</bdi>
        </p>
      ) : null}
      {about?.ad ? <AdPart ad={about.ad} /> : null}
    </>
  );
}

function AdPart({ ad }: { ad: NonNullable<NonNullable<Message['about']>['ad']> }) {
  return (
    <div className="-mx-1 mb-1 rounded-md bg-black/6 px-2 py-1.5 dark:bg-white/10">
      <p className="text-xs text-bubble-muted">{t('chat.fromAd')}</p>
      {ad.headline ? <bdi className="block font-medium wrap-anywhere">{ad.headline}</bdi> : null}
      {ad.body ? <bdi className="line-clamp-3 text-sm wrap-anywhere">{ad.body}</bdi> : null}
      {ad.url && /^https?:\/\//i.test(ad.url) ? (
        <a href={ad.url} target="_blank" rel="noopener noreferrer nofollow ugc" className="text-sm text-bubble-link underline">
          {t('chat.openAd')}
        </a>
      ) : null}
    </div>
  );
}

function Quote({ message, contactName, onJump }: { message: Message; contactName: string; onJump: (id: string) => void }) {
  const { quoted } = message;
  if (!quoted) return null;
  const { id, direction } = quoted;
  const text =
    id === null ? (
      <span className="italic">{t('chat.quotedMissing')}</span>
    ) : quoted.text === null && quoted.content === null ? (
      <span className="italic">{t('chat.deleted')}</span>
    ) : (
      <MessageLine type={quoted.type ?? 'text'} text={quoted.text} content={quoted.content} />
    );
  const look = 'mb-1 -mx-1 block w-[calc(100%+0.5rem)] min-w-0 rounded-md border-s-3 border-primary bg-black/6 px-2 py-1 text-start dark:bg-white/10';
  const inner = (
    <>
      <bdi className="block truncate text-xs font-medium text-primary-text">
        {direction === 'out' ? t('chat.us') : direction === 'in' ? contactName : ''}
      </bdi>
      <span className="block truncate text-sm text-bubble-muted">{text}</span>
    </>
  );
  return id === null ? (
    <div className={look}>{inner}</div>
  ) : (
    <button type="button" className={look} aria-label={t('chat.jumpToQuoted')} onClick={() => onJump(id)}>
      {inner}
    </button>
  );
}

/** What it said before it was edited or taken back. */
function Original({ message }: { message: Message }) {
  const [isShown, setIsShown] = useState(false);
  const { original } = message;
  if (!original || (original.text === null && original.content === null)) return null;
  return (
    <div className="mt-0.5">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setIsShown(!isShown)}
        className="min-h-6 text-xs text-bubble-link underline-offset-2 hover:underline"
      >
        {isShown ? t('chat.hideOriginal') : t('chat.showOriginal')}
      </button>
      {isShown ? (
        <div className="mt-0.5 border-s-2 border-bubble-muted/40 ps-2 text-bubble-muted">
          <MessageBody message={{ ...message, ...original }} isOriginal={message.isEdited && !message.isRevoked} />
        </div>
      ) : null}
    </div>
  );
}

function Foot({ message, acts }: { message: Message; acts: MessageActs }) {
  const problem = message.isTriedAgain ? null : problemText(message);
  return (
    <>
      {problem === null ? null : (
        <div className="-mx-1 mt-1 rounded-md bg-danger-soft px-2 py-1.5 text-sm text-danger">
          <p className="text-pretty">{problem}</p>
          {mayRetry(message) ? (
            <Button className="mt-1.5" size="small" loading={acts.retry.isPending} onClick={() => acts.retry.mutate(message.id)}>
              {t('chat.retry')}
            </Button>
          ) : null}
          {message.state === 'unknown' && message.campaign === null ? (
            <span className="mt-1.5 flex flex-wrap gap-1.5">
              <Button size="small" loading={acts.decide.isPending} onClick={() => acts.decide.mutate({ messageId: message.id, decision: 'sent' })}>
                {t('chat.takeAsSent')}
              </Button>
              <Button size="small" loading={acts.decide.isPending} onClick={() => acts.decide.mutate({ messageId: message.id, decision: 'send_again' })}>
                {t('chat.sendAgain')}
              </Button>
            </span>
          ) : null}
        </div>
      )}
      <div className="mt-0.5 flex items-center justify-end gap-2">
        {message.isTriedAgain ? <span className="text-xs text-bubble-muted">{t('chat.triedAgain')}</span> : null}
        <MessageMeta message={message} />
      </div>
    </>
  );
}
