import type { ShownButton, ShownCard } from '@app/domain/conversations/shown-card';
import {
  ClipboardList,
  Copy,
  CornerUpLeft,
  ExternalLink,
  FileText,
  ImageIcon,
  List,
  MapPin,
  Phone,
  ShoppingBag,
  Video,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import type { Message } from '../timeline-window.ts';
import { FilePart } from './file-parts.tsx';
import { MarkedBlocks } from './marked-blocks.tsx';

const line = 'border-black/10 dark:border-white/15';

/** A template as it was sent, buttons and lists: what can be tapped on the phone is only shown here, but for links. */
export function CardPart({
  card,
  file,
  messageId,
}: {
  card: ShownCard;
  file: Message['files'][number] | null;
  messageId: string;
}) {
  return (
    <div className="min-w-0">
      {card.header ? <HeaderPart header={card.header} file={file} messageId={messageId} /> : null}
      {card.body === '' ? null : <MarkedBlocks text={card.body} />}
      {card.body === '' && card.template !== null ? <bdi className="italic">{card.template}</bdi> : null}
      {card.footer === '' ? null : (
        <p dir="auto" className="mt-1 text-sm wrap-anywhere text-bubble-muted">
          {card.footer}
        </p>
      )}
      {card.buttons.length === 0 ? null : (
        <ul className={`-mx-2.5 mt-1.5 border-t ${line}`}>
          {card.buttons.map((button, index) => (
            <li
              key={index}
              className={`flex min-h-9 items-center justify-center border-t px-3 py-1 first:border-0 ${line}`}
            >
              <CardButton {...button} />
            </li>
          ))}
        </ul>
      )}
      {card.sections.length === 0 ? null : (
        <div className={`-mx-2.5 border-t px-2.5 pt-1.5 ${line}`}>
          {card.sections.map((section, index) => (
            <div key={index} className="min-w-0 wrap-anywhere">
              {section.title === '' ? null : (
                <bdi className="block text-sm font-medium text-bubble-muted">{section.title}</bdi>
              )}
              <ul>
                {section.rows.map((row, place) => (
                  <li key={place}>
                    <bdi>{row.title}</bdi>
                    {row.description === '' ? null : (
                      <bdi className="block text-sm text-bubble-muted">{row.description}</bdi>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function HeaderPart({
  header,
  file,
  messageId,
}: {
  header: NonNullable<ShownCard['header']>;
  file: Message['files'][number] | null;
  messageId: string;
}) {
  if (header.kind === 'text')
    return (
      <p dir="auto" className="mb-1 font-semibold wrap-anywhere">
        {header.text}
      </p>
    );
  if (file && header.kind !== 'location')
    return (
      <FilePart
        shown={{
          kind: 'media',
          media: header.kind,
          caption: '',
          name: header.name,
          isVoice: false,
          isAnimated: false,
        }}
        file={file}
        messageId={messageId}
      />
    );
  const Icon = { image: ImageIcon, video: Video, document: FileText, location: MapPin }[header.kind];
  return (
    <p className="mb-1.5 flex items-center gap-2 rounded-md bg-black/6 px-2.5 py-2 dark:bg-black/25">
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <bdi className="truncate">{header.name || t(`conversations.line.${header.kind}`)}</bdi>
    </p>
  );
}

const icons: Record<ShownButton['kind'], ReactNode> = {
  reply: <CornerUpLeft />,
  link: <ExternalLink />,
  phone: <Phone />,
  list: <List />,
  copy: <Copy />,
  location: <MapPin />,
  catalog: <ShoppingBag />,
  form: <ClipboardList />,
};

function CardButton({ kind, text, target }: ShownButton) {
  const label = (
    <>
      <span aria-hidden className="[&_svg]:size-4">
        {icons[kind]}
      </span>
      <bdi className="min-w-0 truncate">{text || t(`chat.button.${kind}`)}</bdi>
    </>
  );
  const look = 'inline-flex max-w-full items-center gap-2 font-medium text-bubble-link';
  return kind === 'link' && target !== null && /^https?:\/\//i.test(target) ? (
    <a
      className={`${look} underline-offset-2 hover:underline`}
      href={target}
      target="_blank"
      rel="noopener noreferrer nofollow ugc"
    >
      {label}
    </a>
  ) : (
    <span className={look}>{label}</span>
  );
}
