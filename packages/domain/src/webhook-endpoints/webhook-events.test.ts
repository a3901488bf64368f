import { expect, test } from 'vitest';
import { readDefinition } from '../events/fact-catalogue.ts';
import { findWrongValue } from '../events/fact-values.ts';
import { exampleEvent, idName, webhookBody, webhookEventTypes } from './webhook-events.ts';

test('a body names type, time of the event, the id of what it is about, and its values', () => {
  const body = webhookBody({
    ...{ type: 'contact.created', occurredAt: '2026-11-27T10:00:00.000Z' },
    ...{ subjectKind: 'contact', subject: 'an id', values: { name: 'Anna' } },
  });
  expect(JSON.parse(body)).toEqual({
    ...{ type: 'contact.created', timestamp: '2026-11-27T10:00:00.000Z' },
    data: { contactId: 'an id', name: 'Anna' },
  });
});

test('what is about nothing single has no id', () => {
  const event = { type: 'contacts.edited', occurredAt: 'x', subjectKind: 'contact', subject: null };
  expect(JSON.parse(webhookBody({ ...event, values: { changed: 3 } }))).toMatchObject({
    data: { changed: 3 },
  });
  expect(idName('contact-import')).toBe('contactImportId');
});

test('facts that webhooks may carry are offered, and no other', () => {
  expect(webhookEventTypes).toContain('contact.created');
  // Nothing that could tell of people without end: looking, presence and what the product does for itself.
  for (const type of webhookEventTypes)
    expect(type).not.toMatch(/^(dashboard|notifications|user|account|settings|long_act|api_key)[.]/);
  expect(webhookEventTypes.length).toBeGreaterThan(30);
});

test.each(webhookEventTypes)('%s has an example of its own shape', (type) => {
  const { values } = exampleEvent(type, '2026-11-27T10:00:00.000Z');
  expect(findWrongValue(readDefinition(type).values, { ...values })).toBeUndefined();
});

test.each(webhookEventTypes)('no value of %s hides the id of its subject', (type) => {
  const { subject, values } = readDefinition(type);
  expect(Object.keys(values)).not.toContain(idName(subject));
});
