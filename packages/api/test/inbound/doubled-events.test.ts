import { ratingButton } from '@app/domain/conversations/teamwork/rating';
import type { InboundEvent } from '@app/domain/messaging/inbound-event';
import { expect, test } from 'vitest';
import { openArrivals } from '../arrivals.ts';
import { changedIdentity, chose, failed, said } from '../arriving-events.ts';

// A delivery of the platform may hold one thing twice. No statement may refuse it for that: all other events of the group would wait for it.
const { add, arrive, query } = await openArrivals();
const phone = '+14155552671';
const person = { phone, userId: 'US.1234567890', name: 'Ann' };
const at = Date.now() - 60_000;
const hold = { kind: 'hold_recipient', hours: 24 } as const;

const events: Record<string, () => InboundEvent> = {
  text: () => said(person, 'Hello'),
  'opt-out by a word': () => said(person, 'STOP'),
  reaction: () => said(person, { type: 'reaction', emoji: '👍', targetMessageId: 'wamid.target' }),
  revoke: () => said(person, { type: 'revoke', targetMessageId: 'wamid.target' }),
  'rating of an unknown round': () =>
    said(person, {
      ...{ type: 'button_reply', source: 'interactive', payload: ratingButton('of-nobody', 3), title: '3' },
    }),
  preference: () => chose(person, 'stop', at),
  'refusal that opts out': () => failed(person, { kind: 'opt_out' }, { occurredAt: at }),
  'refusal that holds': () => failed(person, hold, { occurredAt: at }),
  'another number': () => changedIdentity({ phone }, { newPhone: '+14155552672', occurredAt: at }),
  'another id': () => changedIdentity(person, { newUserId: 'US.2', occurredAt: at }),
};

test.each(Object.keys(events))(
  '%s twice in one delivery holds up nothing, of a contact and of nobody',
  async (kind) => {
    const event = events[kind]!(); // of those above
    const beside = said({ phone: '+14155552699', name: 'Bea' }, 'Hello');
    for (const isContact of [false, true]) {
      if (isContact) await add(phone).catch(() => undefined);
      const other = { ...event, dedupKey: `${event.dedupKey}/again` };
      await arrive(event, other, event, { ...beside, messageId: `${beside.messageId}/${isContact}` });
    }
    expect((await query(`SELECT count(*)::int AS n FROM contacts WHERE name = 'Bea'`))[0]).toEqual({ n: 1 });
  },
);
