import type { ShownAnswer, ShownItem, ShownTotal } from '@app/domain/conversations/shown-message';
import { ClipboardList, MapPin, ShoppingBag } from 'lucide-react';
import { formatMoney, formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
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
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center rounded-full bg-black/8 dark:bg-white/12"
      >
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

export function FormPart({
  name,
  text,
  answers,
}: {
  name: string;
  text: string;
  answers: readonly ShownAnswer[] | null;
}) {
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-2 font-medium">
        <ClipboardList aria-hidden className="size-4 shrink-0" />
        <bdi className="truncate">{name || t('conversations.line.form')}</bdi>
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
