import { isTimeZone } from '@app/domain/campaigns/quiet-hours';
import { instantToZonedTime } from '@app/domain/campaigns/zoned-time';
import type { ConnectorItem } from '@app/domain/integrations/connector-items';
import { recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';

const HOUR_MS = 3_600_000;

/** One invitee of a meeting as a booking; null for what lacks an id, a time or the meeting. */
export function readBooking(event: JsonRecord, invitee: JsonRecord): ConnectorItem | null {
  const [id, name] = [textOf(invitee['uri']), textOf(event['name'])];
  const [at, startsAt] = [timeOf(invitee['created_at']), timeOf(event['start_time'])];
  const times = [timeOf(invitee['updated_at']), timeOf(event['updated_at'])].flatMap(
    (time) => time?.getTime() ?? [],
  );
  if (id === null || name === null || at === null || startsAt === null || times.length === 0) return null;
  const isCancelled = invitee['status'] === 'canceled' || event['status'] === 'canceled';
  // A meeting that is moved is one invitee that is cancelled and another that is new.
  const isMovedAway = isCancelled && invitee['rescheduled'] === true;
  const isMovedHere = textOf(invitee['old_invitee']) !== null;
  const before = (hours: number) => new Date(startsAt.getTime() - hours * HOUR_MS);
  return {
    ...{
      type: 'booking',
      id,
      title: name,
      total: null,
      at,
      startsAt,
      updatedAt: new Date(Math.max(...times)),
    },
    person: {
      externalId: textOf(invitee['email'])?.toLowerCase() ?? null,
      ...{ phone: phoneOf(event, invitee), email: textOf(invitee['email']), name: textOf(invitee['name']) },
    },
    status: isMovedAway ? 'moved' : isCancelled ? 'cancelled' : 'booked',
    url: addressOf(invitee['reschedule_url']),
    events: isMovedAway
      ? ['booking_created']
      : [isMovedHere ? 'booking_moved' : 'booking_created', ...(isCancelled ? ['booking_cancelled'] : [])],
    due: isCancelled
      ? []
      : [
          { event: 'booking_tomorrow', at: before(24), until: before(2) },
          { event: 'booking_soon', at: before(1), until: startsAt },
        ],
    values: {
      ...{ meeting_name: name, meeting_start: startsAt.toISOString() },
      ...localTimes(startsAt, textOf(invitee['timezone'])),
      meeting_end: timeOf(event['end_time'])?.toISOString() ?? '',
      meeting_place: placeOf(event),
      ...{ cancel_url: addressOf(invitee['cancel_url']) ?? '' },
      reschedule_url: addressOf(invitee['reschedule_url']) ?? '',
    },
    completes: null,
  };
}

/** The number for reminders, else the one that is called, else an answer that looks like one. */
export function phoneOf(event: JsonRecord, invitee: JsonRecord): string | null {
  const { type, location } = recordOf(event['location']);
  const answers = invitee['questions_and_answers'];
  return (
    textOf(invitee['text_reminder_number']) ??
    (type === 'outbound_call' ? textOf(location) : null) ??
    (Array.isArray(answers) ? answers : [])
      .map((one) => textOf(recordOf(one)['answer'])?.trim() ?? '')
      .find((answer) => /^\+[\d\s().-]{7,24}$/.test(answer)) ??
    null
  );
}

/** On the clocks of the invitee, for messages to them: `2026-11-27` and `14:30`. In UTC where their time zone is not known. */
function localTimes(startsAt: Date, zone: string | null): { meeting_date: string; meeting_time: string } {
  const known = zone !== null && isTimeZone(zone) ? zone : 'UTC';
  const [date = '', time = ''] = instantToZonedTime(startsAt, known).split('T');
  return { meeting_date: date, meeting_time: time };
}

function placeOf(event: JsonRecord): string {
  const { location, join_url: joinUrl } = recordOf(event['location']);
  return (textOf(joinUrl) ?? textOf(location) ?? '').slice(0, 500);
}

const addressOf = (url: unknown): string | null => {
  const text = textOf(url);
  return text !== null && text.startsWith('https://') && text.length <= 2_000 ? text : null;
};

export function timeOf(value: unknown): Date | null {
  const at = new Date(textOf(value) ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}
