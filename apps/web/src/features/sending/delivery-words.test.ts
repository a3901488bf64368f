import { kindTexts } from '@app/domain/channel-kinds/kind-texts';
import { ownErrorWords } from '@app/domain/messaging/delivery-error-messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import own from '../../messages/deliveries.json' with { type: 'json' };
import rcs from '../../messages/rcs.json' with { type: 'json' };
import whatsapp from '../../messages/whatsapp.json' with { type: 'json' };
import { loadMessages, switchLocale } from '../../shared/messages.ts';
import { refusalText } from '../../shared/languages/refusal-text.ts';
import { outcomeText, pauseText } from './delivery-words.ts';

beforeAll(async () => {
  await loadMessages('deliveries');
  await loadMessages('sending');
});
afterAll(() => switchLocale('en'));

test('the web and the API say the same in English about each code', () => {
  const english = (words: Record<string, { en: string }>, prefix: string) =>
    Object.fromEntries(
      Object.entries(words)
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, { en }]) => [key.replace(prefix, ''), en]),
    );
  expect(english(own, 'deliveries.code.')).toEqual(ownErrorWords);
  const ofKinds: Record<string, Record<string, { en: string }>> = { whatsapp, rcs };
  expect(Object.keys(ofKinds)).toEqual(Object.keys(kindTexts));
  for (const [kind, words] of Object.entries(ofKinds))
    expect(english(words, `deliveries.code.${kind}.`)).toEqual(kindTexts[kind]);
});

test('a reader of German reads German, and the words of the platform where there are none', async () => {
  await switchLocale('de');
  const failed = { outcome: 'failed', errorCode: '131050', explanation: 'The person has stopped …' };
  expect(outcomeText(failed)).toBe('Die Person hat Marketingnachrichten von Ihnen abbestellt.');
  expect(outcomeText({ ...failed, errorCode: 'blocked' })).toMatch(/^Ausgelassen: /);
  expect(outcomeText({ ...failed, outcome: 'unknown', errorCode: null })).toMatch(/^Die Verbindung brach ab/);
  expect(outcomeText({ outcome: 'sent', errorCode: null, explanation: null })).toBeNull();
  expect(refusalText('231', '')).toMatch(/^Dem Token fehlt/);
  expect(refusalText('777', 'Words of the vendor')).toBe('Words of the vendor');
  expect(refusalText('777', '')).toBe('Die Nachricht wurde mit dem Code 777 abgelehnt.');
});

test.each([
  [null, null, null],
  ['daily_limit', null, /^Das Tageslimit/],
  ['131042', null, /^Es gibt ein Zahlungsproblem/],
  ['campaign_segment_deleted', 'Neue', /^Ihr Segment „Neue“/],
  ['campaign_segment_deleted', null, /^Ein Segment ihrer Kontakte/],
  ['template_not_approved', 'header_file_missing', /^Die Datei im Kopf der Vorlage fehlt/],
  ['template_not_approved', 'elsewhere', /^Diese Nummer gehört zu einem anderen/],
  ['template_not_approved', null, /^Die Vorlage kann so nicht gesendet werden/],
])('a campaign that paused for %s (%s)', async (pauseCode, pauseName, words) => {
  await switchLocale('de');
  const text = pauseText({ pauseCode, pauseName, pauseReason: pauseCode && 'In English' });
  if (words === null) expect(text).toBeNull();
  else expect(text).toMatch(words);
});
