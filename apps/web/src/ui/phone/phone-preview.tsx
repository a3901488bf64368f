import { CornerUpLeft, Copy, ExternalLink, FileText, ImageIcon, Phone, Video } from 'lucide-react';
import { readMarkedText, type TextPiece, type TextStyle } from '@app/domain/text/marked-text';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface MessageButton {
  type: 'reply' | 'url' | 'phone' | 'copy';
  text: string;
}

export interface MessageHeader {
  type: 'text' | 'image' | 'video' | 'document';
  text?: string | undefined;
  /** Address of the picture or video; a placeholder stands for it while there is none. */
  url?: string | undefined;
  fileName?: string | undefined;
}

export interface PhoneMessage {
  header?: MessageHeader | undefined;
  body: string;
  footer?: string | undefined;
  buttons?: readonly MessageButton[] | undefined;
  time?: string | undefined;
  /** Shown in place of header, body and buttons. */
  content?: ReactNode;
}

/** A message as the customer's phone shows it, inside the chat it arrives in. */
export function PhonePreview({
  label,
  name,
  image,
  message,
  emptyText,
}: {
  label: string;
  /** Who it comes from, at the top of the chat. */
  name: string;
  image?: string | null | undefined;
  message: PhoneMessage;
  /** Stands in the bubble while there is nothing to show. */
  emptyText: string;
}) {
  return (
    <figure
      aria-label={label}
      className="mx-auto flex w-full max-w-80 flex-col overflow-hidden rounded-3xl border-4 border-border bg-chat"
    >
      <figcaption className="flex items-center gap-2.5 bg-chat-bar px-4 py-2.5 font-medium text-white">
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center overflow-hidden rounded-full bg-white/20 text-xs font-semibold"
        >
          {image ? (
            <img src={image} alt="" className="size-full object-cover" />
          ) : (
            name.slice(0, 1).toUpperCase()
          )}
        </span>
        <span className="truncate">{name}</span>
      </figcaption>
      <div className="min-h-72 px-3 py-4">
        <ChatBubble message={message} emptyText={emptyText} />
      </div>
    </figure>
  );
}

/** One bubble: header, formatted body, footer, time and buttons. Green when it is the phone owner's own. */
export function ChatBubble({
  message,
  emptyText = '',
  own = false,
}: {
  message: PhoneMessage;
  emptyText?: string;
  own?: boolean | undefined;
}) {
  const { header, body, footer, buttons = [], time = '12:00', content } = message;
  if (content !== undefined)
    return (
      <div
        className={classNames(
          'max-w-[92%] rounded-lg px-2.5 py-2 text-bubble-text shadow-sm',
          own ? 'bg-bubble-own' : 'bg-bubble',
        )}
      >
        {content}
      </div>
    );
  return (
    <div
      className={classNames(
        'max-w-[92%] overflow-hidden rounded-lg text-bubble-text shadow-sm',
        own ? 'rounded-tr-none bg-bubble-own' : 'rounded-tl-none bg-bubble',
      )}
    >
      <div className="px-2.5 pt-2 pb-1.5">
        {header ? <Header header={header} /> : null}
        {body === '' ? (
          <p className="text-bubble-muted italic">{emptyText}</p>
        ) : (
          <p className="[unicode-bidi:plaintext] whitespace-pre-wrap wrap-anywhere">
            <MarkedText text={body} />
          </p>
        )}
        <p className="mt-1 flex items-end justify-between gap-3 text-xs text-bubble-muted">
          <span dir="auto" className="wrap-anywhere">
            {footer}
          </span>
          <span className="shrink-0 tabular-nums">{time}</span>
        </p>
      </div>
      {buttons.length > 0 ? (
        <ul className="border-t border-black/10 dark:border-white/15">
          {buttons.map((button, index) => (
            <li
              key={`${index}${button.text}`}
              className="flex min-h-10 items-center justify-center gap-2 border-t border-black/10 px-3 font-medium text-bubble-link first:border-0 dark:border-white/15"
            >
              <ButtonIcon type={button.type} />
              <span dir="auto" className="min-w-0 truncate">
                {button.text || '…'}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Text with the phone's formatting; everything else, markup included, stays plain text. */
export function MarkedText({ text }: { text: string }) {
  return readMarkedText(text).map((piece, index) => <Piece key={index} piece={piece} />);
}

function Piece({ piece }: { piece: TextPiece }): ReactNode {
  if (typeof piece === 'string') return highlightVariables(piece);
  if ('link' in piece) return <span className="text-bubble-link">{highlightVariables(piece.text)}</span>;
  const inner = piece.pieces.map((part, index) => <Piece key={index} piece={part} />);
  return wrap[piece.style](inner);
}

const wrap: Record<TextStyle, (inner: ReactNode) => ReactNode> = {
  bold: (inner) => <strong className="font-semibold">{inner}</strong>,
  italic: (inner) => <em>{inner}</em>,
  strike: (inner) => <s>{inner}</s>,
  mono: (inner) => <code className="font-mono text-sm">{inner}</code>,
  code: (inner) => (
    <code className="rounded bg-black/8 px-1 font-mono text-sm dark:bg-white/12">{inner}</code>
  ),
};

function highlightVariables(text: string): ReactNode {
  return text.split(/(\{\{\s*\w+\s*\}\})/).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="rounded bg-black/8 px-0.5 font-medium dark:bg-white/15">
        {part}
      </span>
    ) : (
      part
    ),
  );
}

function Header({ header }: { header: MessageHeader }) {
  if (header.type === 'text') {
    return header.text ? (
      <p dir="auto" className="mb-1 font-semibold wrap-anywhere">
        {header.text}
      </p>
    ) : null;
  }
  if (header.type === 'document') {
    return (
      <p className="mb-2 flex items-center gap-2 rounded-md bg-black/6 px-2.5 py-2.5 dark:bg-white/10">
        <FileText aria-hidden className="size-5 shrink-0" />
        <span className="truncate">{header.fileName ?? 'PDF'}</span>
      </p>
    );
  }
  const Icon = header.type === 'video' ? Video : ImageIcon;
  const style = 'mb-2 aspect-video w-full rounded-md';
  if (!header.url) {
    return (
      <div
        className={classNames(style, 'grid place-items-center bg-black/8 text-bubble-muted dark:bg-white/10')}
      >
        <Icon aria-hidden className="size-8" />
      </div>
    );
  }
  return header.type === 'video' ? (
    <video
      src={header.url}
      className={classNames(style, 'bg-black object-cover')}
      controls
      muted
      preload="metadata"
    />
  ) : (
    <img src={header.url} alt="" className={classNames(style, 'object-cover')} />
  );
}

function ButtonIcon({ type }: { type: MessageButton['type'] }) {
  const icons = { reply: CornerUpLeft, url: ExternalLink, phone: Phone, copy: Copy };
  const Icon = icons[type];
  return <Icon aria-hidden className="size-4 shrink-0" />;
}
