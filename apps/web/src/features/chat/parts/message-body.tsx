import { shownMessage, type ShownMessage } from '@app/domain/conversations/shown-message';
import type { TemplateComponent } from '@app/domain/templates/template';
import { Ban, CircleHelp, MousePointerClick, Phone, PhoneMissed, PhoneOff } from 'lucide-react';
import { memo, useMemo, type ReactNode } from 'react';
import { KindContent } from '../../../shared/channel-kinds/kind-content.tsx';
import { formatDateTime, formatDuration } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import type { Message } from '../timeline-window.ts';
import { CardPart } from './card-parts.tsx';
import { ContactCards } from './contact-cards.tsx';
import { FormPart, LocationPart, OrderPart } from './data-parts.tsx';
import { FilePart } from './file-parts.tsx';
import { MarkedBlocks } from './marked-blocks.tsx';

type Said = Pick<Message, 'type' | 'text' | 'content' | 'components' | 'files' | 'id'>;

/** What a message says, of every kind. Whatever is in it came from outside and is shown as text. */
export const MessageBody = memo(function MessageBody({
  message,
  find,
  isOriginal = false,
}: {
  message: Said;
  find?: string | undefined;
  /** What it said before: without its files. */
  isOriginal?: boolean;
}) {
  const shown = useMemo(
    () => shownMessage({ ...message, components: message.components as TemplateComponent[] | null }),
    [message],
  );
  return <Shown shown={shown} message={message} find={find} isOriginal={isOriginal} />;
});

function Shown({
  shown,
  message,
  find,
  isOriginal,
}: {
  shown: ShownMessage;
  message: Said;
  find: string | undefined;
  isOriginal: boolean;
}): ReactNode {
  switch (shown.kind) {
    case 'text':
      return <MarkedBlocks text={shown.body} find={find} />;
    case 'media':
      return (
        <>
          {isOriginal ? null : (
            <FilePart shown={shown} file={message.files[0] ?? null} messageId={message.id} />
          )}
          {shown.caption === '' ? null : <MarkedBlocks text={shown.caption} find={find} />}
        </>
      );
    case 'location':
      return <LocationPart {...shown} />;
    case 'contacts':
      return <ContactCards cards={shown.cards} />;
    case 'choice':
      return (
        <Sentence icon={<MousePointerClick />}>
          <span className="sr-only">{t('chat.choice')} </span>
          <bdi className="font-medium">{shown.title}</bdi>
          {shown.detail === '' ? null : <bdi className="block text-sm text-bubble-muted">{shown.detail}</bdi>}
        </Sentence>
      );
    case 'form':
      return <FormPart {...shown} />;
    case 'order':
      return <OrderPart {...shown} />;
    case 'call_permission':
      return (
        <Sentence icon={shown.isAccepted ? <Phone /> : <PhoneOff />}>
          {shown.isAccepted ? t('chat.calls.allowed') : t('chat.calls.refused')}
          {shown.expiresAt === null ? null : (
            <span className="block text-sm text-bubble-muted">
              {t('chat.calls.until', { time: formatDateTime(shown.expiresAt) })}
            </span>
          )}
        </Sentence>
      );
    case 'call':
      return (
        <Sentence icon={shown.isMissed ? <PhoneMissed /> : <Phone />}>
          <span className="font-medium">
            {shown.isMissed ? t('conversations.line.missed_call') : t('conversations.line.call')}
          </span>
          {shown.seconds === null ? null : (
            <span className="block text-sm text-bubble-muted">{formatDuration(shown.seconds)}</span>
          )}
        </Sentence>
      );
    case 'card':
      return <CardPart card={shown} file={message.files[0] ?? null} messageId={message.id} />;
    case 'kind_content': {
      const { text, kind: _, ...content } = shown;
      return <KindContent {...content} fallback={<MarkedBlocks text={text} find={find} />} />;
    }
    case 'reaction':
      return <span className="text-2xl">{shown.emoji}</span>;
    case 'unsupported':
      return (
        <Sentence icon={<CircleHelp />}>
          <span className="italic">{t('chat.unsupported')}</span>
          <span className="block text-sm text-bubble-muted">
            <bdi>{shown.vendorType.slice(0, 60)}</bdi>
          </span>
        </Sentence>
      );
  }
}

/** In place of what was taken back. */
export function RevokedBody() {
  return (
    <Sentence icon={<Ban />}>
      <span className="text-bubble-muted italic">{t('chat.deleted')}</span>
    </Sentence>
  );
}

function Sentence({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-2 wrap-anywhere">
      <span aria-hidden className="mt-0.5 text-bubble-muted [&_svg]:size-4">
        {icon}
      </span>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
