import { CircleMinus, CirclePlus, Smartphone } from 'lucide-react';
import { formatTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { ActivityRow } from './activity-row.tsx';
import type { TimelineItem } from './timeline-window.ts';

type Happened = Exclude<TimelineItem, { kind: 'message' | 'note' }>;
type Consent = Extract<TimelineItem, { kind: 'consent_changed' }>;
type Activity = Extract<TimelineItem, { kind: 'act' }>;

export function DayRow({ label }: { label: string }) {
  return (
    <div className="sticky top-2 layer-row flex justify-center py-2">
      <h3 className="rounded-full border border-border bg-raised px-3 py-0.5 text-xs font-medium text-muted shadow-xs">
        {label}
      </h3>
    </div>
  );
}

export function UnreadRow() {
  return (
    <div data-item="unread" className="flex items-center gap-3 px-3 pt-3 pb-1 md:px-6">
      <span aria-hidden className="h-px flex-1 bg-primary" />
      <span className="text-xs font-semibold text-primary-text">{t('chat.unread')}</span>
      <span aria-hidden className="h-px flex-1 bg-primary" />
    </div>
  );
}

/** What happened to the contact, or was done with the conversation, between what was said. */
export function HappenedRow({ item, contactName }: { item: Happened; contactName: string }) {
  if (item.kind === 'act') return <ActivityRow item={item} />;
  return <ContactRow item={item} contactName={contactName} />;
}

/** Forms and the bot record opt-ins only. */
function consentText({ choice, by }: Consent, name: string): string {
  return by === 'form' || by === 'bot'
    ? t(`chat.consent.opt_in.${by}`, { name })
    : t(`chat.consent.${choice}.${by}`, { name });
}

function ContactRow({ item, contactName }: { item: Exclude<Happened, Activity>; contactName: string }) {
  const name = contactName;
  const isNumber = item.kind === 'number_changed';
  return (
    <p data-item={item.id} className="flex items-center justify-center gap-2 px-3 pb-2 text-sm text-muted">
      <span aria-hidden className="shrink-0 [&_svg]:size-4">
        {isNumber ? <Smartphone /> : item.choice === 'opt_in' ? <CirclePlus /> : <CircleMinus />}
      </span>
      <span className="min-w-0 wrap-anywhere">
        {isNumber ? t('chat.numberChanged', { name, from: item.from }) : consentText(item, name)}{' '}
        <time dateTime={item.at} className="tabular-nums">
          {formatTime(item.at)}
        </time>
      </span>
    </p>
  );
}
