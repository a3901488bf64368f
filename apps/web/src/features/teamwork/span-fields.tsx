import { Plus, X } from 'lucide-react';
import { isInOrder, type OpenDay, type OpenHours } from '@app/domain/conversations/teamwork/business-time';
import { inboxLimits } from '@app/domain/conversations/inbox-settings';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Input } from '../../ui/input.tsx';

/** What a day begins with that is opened. */
export const OFFICE: OpenHours = { from: '09:00', to: '17:00' };
/** A finger opens the clock wherever it presses the field; its sign has no room there. */
const NARROW = 'max-sm:[&::-webkit-calendar-picker-indicator]:hidden';

/** From when to when anybody is there on one day, with a break between each two spans. */
export function SpanFields({
  name,
  spans,
  onChange,
}: {
  /** The day. */
  name: string;
  spans: OpenDay;
  onChange: (spans: OpenDay) => void;
}) {
  if (spans.length === 0)
    return <span className="flex min-h-9 items-center text-sm text-muted">{t('teamwork.closed')}</span>;
  const change = (at: number, patch: Partial<OpenHours>) =>
    onChange(spans.map((span, place) => (place === at ? { ...span, ...patch } : span)));
  const broken = withBreak(spans);
  const mayAdd = broken.length <= inboxLimits.spans && isInOrder(broken);
  return (
    <div className="grid gap-1 max-sm:order-last max-sm:basis-full">
      {spans.map((span, at) => (
        // A span is its place among the others.
        <span key={at} className="flex items-center gap-2">
          <span className="w-[6.25rem] shrink-0 sm:w-[7.9rem]">
            <Input
              type="time"
              className={NARROW}
              aria-label={t('teamwork.opensAt', { day: name })}
              value={span.from}
              onChange={(event) => change(at, { from: event.currentTarget.value })}
            />
          </span>
          <span aria-hidden>–</span>
          <span className="w-[6.25rem] shrink-0 sm:w-[7.9rem]">
            <Input
              type="time"
              className={NARROW}
              aria-label={t('teamwork.closesAt', { day: name })}
              // The end of the day is kept as 24:00, which no field of a browser shows.
              value={span.to === '24:00' ? '00:00' : span.to}
              onChange={(event) => {
                const to = event.currentTarget.value;
                change(at, { to: to === '00:00' ? '24:00' : to });
              }}
            />
          </span>
          {at === 0 ? (
            mayAdd ? (
              <IconButton
                size="small"
                label={t('teamwork.addSpan', { day: name })}
                onClick={() => onChange(broken)}
              >
                <Plus aria-hidden />
              </IconButton>
            ) : null
          ) : (
            <IconButton
              size="small"
              label={t('teamwork.removeSpan', { day: name, n: at + 1 })}
              onClick={() => onChange(spans.filter((_, place) => place !== at))}
            >
              <X aria-hidden />
            </IconButton>
          )}
        </span>
      ))}
    </div>
  );
}

/** An hour's break in the midst of the last span; behind one that is too short for that, a further span. */
function withBreak(spans: OpenDay): OpenDay {
  const { from, to } = spans.at(-1)!;
  const [begin, end] = [Number(from.slice(0, 2)), Number(to.slice(0, 2))];
  if (end - begin < 3) return [...spans, { from: end < 23 ? `${twoDigits(end + 1)}:00` : to, to: '24:00' }];
  const back = Math.floor((begin + end) / 2);
  return [
    ...spans.slice(0, -1),
    { from, to: `${twoDigits(back - 1)}:00` },
    { from: `${twoDigits(back)}:00`, to },
  ];
}

function twoDigits(hour: number): string {
  return String(hour).padStart(2, '0');
}
