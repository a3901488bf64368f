import { CheckCheck } from 'lucide-react';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';

const AUDIENCE = 2_400;
const figures = [
  { name: 'sent', count: AUDIENCE },
  { name: 'delivered', count: AUDIENCE * 0.9 },
  { name: 'read', count: AUDIENCE * 0.63 },
] as const;
// Read, delivered, sent, as on the page of a campaign. Widths are classes, and so are the colours of `outcomeColors`: this page is drawn into HTML, where the content policy lets no style attribute count.
const parts = ['w-[63%] bg-chart-1', 'w-[27%] bg-chart-2', 'w-[10%] bg-chart-4'] as const;

/** A drawing of a campaign and the chat it begins; nothing of it is read aloud. */
export function HeroPicture() {
  return (
    <div aria-hidden className="relative mx-auto w-full max-w-[26rem] pb-24 text-base leading-5 lg:mr-0">
      <div className="overflow-hidden rounded-[1.75rem] border border-border bg-chat shadow-raised">
        <div className="flex items-center gap-3 border-b border-border bg-raised px-5 py-3.5">
          <span className="grid size-9 place-items-center rounded-full bg-primary-soft font-semibold text-primary-text">
            FF
          </span>
          <span>
            <span className="block font-semibold">{t('landing.picture.shop')}</span>
            <span className="block text-sm text-muted">{t('landing.picture.shopState')}</span>
          </span>
        </div>
        <div className="flex flex-col gap-2 px-4 pt-5 pb-20">
          <div className="max-w-[84%] overflow-hidden rounded-xl rounded-tl-sm bg-raised shadow-sm">
            <div className="h-24 bg-[linear-gradient(120deg,#0f7a64,#7cc9a4_55%,#f3d9a4)]" />
            <p className="px-3.5 py-2.5">{t('landing.picture.offer')}</p>
            <p className="border-t border-border py-2 text-center font-medium text-bubble-link">
              {t('landing.picture.button')}
            </p>
          </div>
          <p className="max-w-[84%] self-end rounded-xl rounded-tr-sm bg-bubble px-3.5 py-2.5 text-bubble-text shadow-sm">
            {t('landing.picture.reply')}
            <CheckCheck className="ml-1.5 inline size-4 text-bubble-link" />
          </p>
          <p className="max-w-[84%] rounded-xl rounded-tl-sm bg-raised px-3.5 py-2.5 shadow-sm">
            {t('landing.picture.answer')}
          </p>
        </div>
      </div>
      <div className="absolute right-3 bottom-0 left-3 rounded-2xl border border-border bg-raised p-5 shadow-raised sm:-left-6 sm:right-16">
        <p className="flex items-center justify-between gap-3">
          <span className="font-semibold">{t('landing.picture.campaign')}</span>
          <span className="rounded-full bg-primary-soft px-2 py-0.5 text-xs font-medium text-primary-text">
            {t('landing.picture.running')}
          </span>
        </p>
        <div className="mt-3.5 flex h-2 gap-px overflow-hidden rounded-full bg-sunken">
          {parts.map((className) => (
            <span key={className} className={className} />
          ))}
        </div>
        <div className="mt-3.5 grid grid-cols-3 gap-3">
          {figures.map(({ name, count }) => (
            <span key={name}>
              <span className="block text-sm text-muted">{t(`landing.picture.${name}`)}</span>
              <span className="block text-lg font-semibold tabular-nums">{formatNumber(count)}</span>
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
