import type { ShownButton, ShownCard } from '@app/domain/conversations/shown-card';
import type { ShownAnswer, ShownContact, ShownItem, ShownTotal } from '@app/domain/conversations/shown-message';
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
  UserPlus,
  Video,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../../shared/links.tsx';
import { formatMoney, formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import type { Message } from '../timeline-window.ts';
import { FilePart } from './file-parts.tsx';
import { MarkedBlocks } from './marked-blocks.tsx';

const line = 'border-black/10 dark:border-white/15';

/** Without a map, which would tell somebody else where the contact is; whoever wants one opens it. */
export function LocationPart({
  latitude,
  longitude,
  name,
  address,
}: {
  latitude: number;
  longitude: number;
  name: string;
  address: string;
}) {
  const place = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
  return (
    <div className="flex items-start gap-2.5">
      <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-full bg-black/8 dark:bg-white/12">
        <MapPin className="size-4.5" />
      </span>
      <div className="min-w-0 wrap-anywhere">
        {name === '' ? null : <bdi className="block font-medium">{name}</bdi>}
        {address === '' ? null : <bdi className="block">{address}</bdi>}
        <span className="block text-sm text-bubble-muted tabular-nums">{place}</span>
        <a
          className="mt-1 inline-flex min-h-6 items-center gap-1.5 text-bubble-link underline underline-offset-2"
          href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {t('chat.openMap')}
        </a>
      </div>
    </div>
  );
}

export function ContactsPart({ cards }: { cards: readonly ShownContact[] }) {
  return (
    <ul className="flex flex-col gap-3">
      {cards.map((card, index) => {
        const [phone] = card.phones;
        const name = card.name || phone || t('chat.noName');
        return (
          <li key={index} className="flex items-start gap-2.5">
            <Avatar name={name} />
            <div className="min-w-0 flex-1 wrap-anywhere">
              <bdi className="block font-medium">{name}</bdi>
              {[card.company, ...card.phones, ...card.emails, ...card.urls].map((text, place) =>
                text === '' ? null : (
                  <bdi key={place} className="block text-sm text-bubble-muted">
                    {text}
                  </bdi>
                ),
              )}
              {phone !== undefined && can('contacts:read') ? (
                <span className="mt-1.5 flex flex-wrap gap-1.5">
                  <ButtonLink size="small" to={paths.contacts} search={{ search: phone }}>
                    {t('chat.findContact')}
                  </ButtonLink>
                  {can('contacts:create') ? (
                    <ButtonLink
                      size="small"
                      icon={<UserPlus aria-hidden />}
                      to={paths.contacts}
                      search={{ dialog: 'new', phone, name: card.name }}
                    >
                      {t('chat.newContact')}
                    </ButtonLink>
                  ) : null}
                </span>
              ) : null}
            </div>
          </li>
        );
      })}
    </ul>
  );
}

export function FormPart({ name, text, answers }: { name: string; text: string; answers: readonly ShownAnswer[] | null }) {
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-2 font-medium">
        <ClipboardList aria-hidden className="size-4 shrink-0" />
        <bdi className="truncate">{name || t('chat.line.form')}</bdi>
      </p>
      {text === '' ? null : <MarkedBlocks text={text} />}
      {answers === null || answers.length === 0 ? null : (
        <dl className={`mt-1.5 grid gap-1.5 border-t pt-1.5 ${line}`}>
          {answers.map((answer, index) => (
            <div key={index} className="min-w-0 wrap-anywhere">
              <dt className="text-sm text-bubble-muted">
                <bdi>{answer.name}</bdi>
              </dt>
              <dd>
                <bdi>{answer.value === '' ? '–' : answer.value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

export function OrderPart({
  note,
  items,
  totals,
}: {
  note: string;
  items: readonly ShownItem[];
  totals: readonly ShownTotal[];
}) {
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-2 font-medium">
        <ShoppingBag aria-hidden className="size-4 shrink-0" />
        {t('chat.order', { n: items.length })}
      </p>
      <ul className={`my-1.5 border-y py-1.5 ${line}`}>
        {items.map((item, index) => (
          <li key={index} className="flex items-baseline justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">
              {item.quantity === null ? null : `${formatNumber(item.quantity)} × `}
              <bdi>{item.product}</bdi>
            </span>
            <span className="tabular-nums">{money(item.price, item.currency)}</span>
          </li>
        ))}
      </ul>
      {totals.map(({ currency, amount }) => (
        <p key={currency} className="flex justify-between gap-3 font-medium">
          <span>{t('chat.orderTotal')}</span>
          <span className="tabular-nums">{money(amount, currency)}</span>
        </p>
      ))}
      {note === '' ? null : <MarkedBlocks text={note} />}
    </div>
  );
}

/** The currency is a word of somebody else's: one that there is not is written beside the amount. */
function money(amount: number | null, currency: string | null): string {
  if (amount === null) return '';
  try {
    return currency === null ? formatNumber(amount) : formatMoney(amount, currency);
  } catch {
    return `${formatNumber(amount)} ${currency}`;
  }
}

/** A template as it was sent, buttons and lists: what can be tapped on the phone is only shown here, but for links. */
export function CardPart({ card, file, messageId }: { card: ShownCard; file: Message['files'][number] | null; messageId: string }) {
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
            <li key={index} className={`flex min-h-9 items-center justify-center border-t px-3 py-1 first:border-0 ${line}`}>
              <CardButton {...button} />
            </li>
          ))}
        </ul>
      )}
      {card.sections.length === 0 ? null : (
        <div className={`-mx-2.5 border-t px-2.5 pt-1.5 ${line}`}>
          {card.sections.map((section, index) => (
            <div key={index} className="min-w-0 wrap-anywhere">
              {section.title === '' ? null : <bdi className="block text-sm font-medium text-bubble-muted">{section.title}</bdi>}
              <ul>
                {section.rows.map((row, place) => (
                  <li key={place}>
                    <bdi>{row.title}</bdi>
                    {row.description === '' ? null : <bdi className="block text-sm text-bubble-muted">{row.description}</bdi>}
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

function HeaderPart({ header, file, messageId }: { header: NonNullable<ShownCard['header']>; file: Message['files'][number] | null; messageId: string }) {
  if (header.kind === 'text')
    return (
      <p dir="auto" className="mb-1 font-semibold wrap-anywhere">
        {header.text}
      </p>
    );
  if (file && header.kind !== 'location')
    return (
      <FilePart
        shown={{ kind: 'media', media: header.kind, caption: '', name: header.name, isVoice: false, isAnimated: false }}
        file={file}
        messageId={messageId}
      />
    );
  const Icon = { image: ImageIcon, video: Video, document: FileText, location: MapPin }[header.kind];
  return (
    <p className="mb-1.5 flex items-center gap-2 rounded-md bg-black/6 px-2.5 py-2 dark:bg-white/10">
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <bdi className="truncate">{header.name || t(`chat.line.${header.kind}`)}</bdi>
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
    <a className={`${look} underline-offset-2 hover:underline`} href={target} target="_blank" rel="noopener noreferrer nofollow ugc">
      {label}
    </a>
  ) : (
    <span className={look}>{label}</span>
  );
}
