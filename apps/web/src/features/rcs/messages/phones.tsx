import { lineOfRcsMessage, rcsContentOf, type RcsMessageContent } from '@app/domain/rcs/rcs-message';
import type { Card } from '@app/domain/channel-kinds/rcs/rcs-contents';
import {
  findPhoneMarks,
  type CardFrame,
  type PhoneMark,
} from '@app/domain/channel-kinds/rcs/rcs-phone-marks';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { KindContent } from '../../../shared/channel-kinds/kind-content.tsx';
import { t } from '../../../shared/messages.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Switch } from '../../../ui/controls/switch.tsx';
import { usePictureRatios } from './picture-ratios.ts';

/** So many cards of a carousel a preview shows. */
const MOST_CARDS = 3;

/** The message on both kinds of phones, side by side. */
export function Phones({ content, name }: { content: RcsMessageContent; name: string }) {
  const [isDark, setDark] = useState(false);
  const { shown, hidden } = cutCards(content);
  const cards = cardsOf(content);
  const ratioOf = usePictureRatios(cards);
  const marks = findPhoneMarks({ cards, frame: frameOf(content) }, ratioOf);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{t('rcs.previewOf')}</h3>
        {isPageDark() ? null : (
          <Switch label={t('rcs.dark')} checked={isDark} onChange={({ target }) => setDark(target.checked)} />
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        {(['android', 'iphone'] as const).map((phone) => (
          <Phone key={phone} phone={phone} isDark={isDark} name={name} content={shown} marks={marks} />
        ))}
      </div>
      {hidden > 0 ? <p className="text-sm text-muted">{t('rcs.moreCards', { n: hidden })}</p> : null}
      <p className="text-sm text-muted">{t('rcs.previewNote')}</p>
    </div>
  );
}

function Phone({
  phone,
  isDark,
  name,
  content,
  marks,
}: {
  phone: 'android' | 'iphone';
  isDark: boolean;
  name: string;
  content: RcsMessageContent;
  marks: readonly PhoneMark[];
}) {
  const { contentType, value } = rcsContentOf(content);
  const isPhone = phone === 'iphone';
  return (
    <figure
      aria-label={t(`rcs.phone.${phone}`)}
      data-phone={phone}
      {...(isDark && { 'data-theme': 'dark' })}
      className={classNames(
        'flex min-w-0 flex-col overflow-hidden border-4 border-border bg-chat text-bubble-text',
        isPhone ? 'rounded-[2rem]' : 'rounded-2xl',
      )}
    >
      <figcaption
        className={classNames(
          'flex items-center gap-2 bg-bubble px-3 py-2 text-sm',
          isPhone && 'flex-col gap-1',
        )}
      >
        <span
          aria-hidden
          className="grid size-7 shrink-0 place-items-center rounded-full bg-chat text-xs font-semibold"
        >
          {name.slice(0, 1).toUpperCase()}
        </span>
        <span className="truncate font-medium">{t(`rcs.phone.${phone}`)}</span>
      </figcaption>
      <div className="flex min-h-40 flex-col p-3">
        <div
          className={classNames(
            'max-w-full min-w-0 self-start bg-bubble px-3 py-2',
            isPhone ? 'rounded-2xl' : 'rounded-lg',
          )}
        >
          <KindContent
            channelKind="rcs"
            contentType={contentType}
            value={value}
            fallback={<p className="whitespace-pre-wrap wrap-anywhere">{lineOfRcsMessage(content)}</p>}
          />
        </div>
        <ul aria-label={t('rcs.marks')} className="mt-3 flex flex-col gap-1 text-sm empty:hidden">
          {marks.map((mark, index) => (
            <li key={index} className="flex items-start gap-1.5 rounded-md bg-bubble px-2 py-1">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning" />
              <span>{markText(mark, phone)}</span>
            </li>
          ))}
        </ul>
      </div>
    </figure>
  );
}

function markText(mark: PhoneMark, phone: 'android' | 'iphone'): string {
  return t('rcs.faultAt', {
    place: t('rcs.place.cards', { n: mark.card + 1 }),
    problem: saidOf(mark, phone),
  });
}

function saidOf(mark: PhoneMark, phone: 'android' | 'iphone'): string {
  switch (mark.type) {
    case 'pdf_dropped':
      return t(`rcs.mark.pdf.${phone}`);
    case 'picture_cropped':
      return t('rcs.mark.cropped', { percent: mark.percent });
    case 'text_cut':
      return t('rcs.mark.textCut', { lines: mark.lines, room: mark.room });
  }
}

function cardsOf({ type, value }: RcsMessageContent): readonly Card[] {
  // A card with a PDF alone leaves as a file.
  if (type === 'rich_card') return rcsContentOf({ type, value }).contentType === 'file' ? [] : value.cards;
  if (type === 'carousel') return value.cards;
  return type === 'standalone_card' ? [value.card] : [];
}

function frameOf({ type, value }: RcsMessageContent): CardFrame {
  if (type === 'standalone_card') return { width: 'whole', orientation: value.orientation };
  if (type === 'carousel') return { width: value.width, orientation: 'vertical' };
  const isMany = type === 'rich_card' && value.cards.length > 1;
  return { width: isMany ? 'medium' : 'whole', orientation: 'vertical' };
}

/** On a dark page phones are dark as well. */
function isPageDark(): boolean {
  return document.documentElement.dataset['theme'] === 'dark';
}

function cutCards(content: RcsMessageContent): { shown: RcsMessageContent; hidden: number } {
  if (content.type !== 'carousel' && content.type !== 'rich_card') return { shown: content, hidden: 0 };
  const { cards } = content.value;
  const few = cards.slice(0, MOST_CARDS);
  const hidden = cards.length - few.length;
  return content.type === 'carousel'
    ? { shown: { type: content.type, value: { ...content.value, cards: few } }, hidden }
    : { shown: { type: content.type, value: { ...content.value, cards: few } }, hidden };
}
