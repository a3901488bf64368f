import { Link } from '@tanstack/react-router';
import { Bot, Forward, Megaphone, Smartphone, Tag, Workflow } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { MessageLine } from '../../shared/conversations/message-line.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { Button } from '../../ui/button.tsx';
import { authorName } from '../../shared/conversations/message-author.ts';
import { mayRetry, type MessageActions } from './message-actions.tsx';
import { MessageMeta, problemText } from './message-status.tsx';
import { MessageBody } from './parts/message-body.tsx';
import type { Message } from './timeline-window.ts';

const authorIcons: Partial<Record<Message['author']['kind'], ReactNode>> = {
  campaign: <Megaphone />,
  bot: <Bot />,
  automation: <Workflow />,
  app: <Smartphone />,
};

/** Who of ours or what machine said it, and what led to it. */
export function Head({ message, isFollowing }: { message: Message; isFollowing: boolean }) {
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
    <div className="-mx-1 mb-1 rounded-md bg-black/6 px-2 py-1.5 dark:bg-black/25">
      <p className="text-xs text-bubble-muted">{t('chat.fromAd')}</p>
      {ad.headline ? <bdi className="block font-medium wrap-anywhere">{ad.headline}</bdi> : null}
      {ad.body ? <bdi className="line-clamp-3 text-sm wrap-anywhere">{ad.body}</bdi> : null}
      {ad.url && /^https?:\/\//i.test(ad.url) ? (
        <a
          href={ad.url}
          target="_blank"
          rel="noopener noreferrer nofollow ugc"
          className="text-sm text-bubble-link underline"
        >
          {t('chat.openAd')}
        </a>
      ) : null}
    </div>
  );
}

export function Quote({
  message,
  contactName,
  onJump,
}: {
  message: Message;
  contactName: string;
  onJump: (id: string) => void;
}) {
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
  const look =
    'mb-1 -mx-1 block w-[calc(100%+0.5rem)] min-w-0 rounded-md border-s-3 border-primary bg-black/6 px-2 py-1 text-start dark:bg-black/25';
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
    <button type="button" className={look} onClick={() => onJump(id)}>
      <span className="sr-only">{t('chat.jumpToQuoted')}: </span>
      {inner}
    </button>
  );
}

/** What it said before it was edited or taken back. */
export function Original({ message }: { message: Message }) {
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
          <MessageBody
            message={{ ...message, ...original }}
            isOriginal={message.isEdited && !message.isRevoked}
          />
        </div>
      ) : null}
    </div>
  );
}

export function Foot({ message, acts }: { message: Message; acts: MessageActions }) {
  const problem = message.isTriedAgain ? null : problemText(message);
  return (
    <>
      {problem === null ? null : (
        <div className="-mx-1 mt-1 rounded-md bg-danger-soft px-2 py-1.5 text-sm text-danger">
          <p className="text-pretty">{problem}</p>
          {mayRetry(message) ? (
            <Button className="mt-1.5" size="small" onClick={() => acts.retry(message.id)}>
              {t('chat.retry')}
            </Button>
          ) : null}
          {message.state === 'unknown' && message.campaign === null ? (
            <span className="mt-1.5 flex flex-wrap gap-1.5">
              <Button size="small" onClick={() => acts.decide(message.id, 'sent')}>
                {t('chat.takeAsSent')}
              </Button>
              <Button size="small" onClick={() => acts.decide(message.id, 'send_again')}>
                {t('chat.sendAgain')}
              </Button>
            </span>
          ) : null}
        </div>
      )}
      <div className="mt-0.5 flex items-center justify-end gap-2">
        {message.isTriedAgain ? (
          <span className="text-xs text-bubble-muted">{t('chat.triedAgain')}</span>
        ) : null}
        <MessageMeta message={message} />
      </div>
    </>
  );
}
