import { expect, test } from 'vitest';
import { readBooking } from '../src/calendly/calendly-bookings.ts';

const at = '2026-03-29T01:30:00.000000Z';

test.each([
  ['Europe/Berlin', at, '2026-03-29 03:30'],
  ['Asia/Kathmandu', at, '2026-03-29 07:15'],
  ['America/Los_Angeles', at, '2026-03-28 18:30'],
  ['Mars/Olympus', at, '2026-03-29 01:30'],
  [null, at, '2026-03-29 01:30'],
])('the clocks of an invitee in %s show a meeting at %s as %s', (timezone, start, shown) => {
  const times = { created_at: at, updated_at: at };
  const booking = readBooking(
    { ...times, name: 'Fitting', start_time: start, end_time: start, status: 'active' },
    {
      ...times,
      uri: 'https://api.calendly.com/invitees/1',
      email: 'ann@mail.example',
      status: 'active',
      timezone,
    },
  );
  const { meeting_date: date, meeting_time: time, meeting_start: utc } = booking?.values ?? {};
  expect([`${date} ${time}`, utc]).toEqual([shown, '2026-03-29T01:30:00.000Z']);
});
