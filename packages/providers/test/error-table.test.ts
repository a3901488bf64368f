import { describe, expect, it } from 'vitest';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-messages';
import { whatsAppErrorTexts } from '@app/domain/channel-kinds/whatsapp/whatsapp-error-texts';
import {
  decideErrorAction,
  findErrorRule,
  isRetryableCode,
  whatsappErrorTable,
} from '../src/whatsapp-cloud/error-table.ts';

describe('error table', () => {
  it('has plain words for each code', () => {
    const wordless = [...whatsappErrorTable.keys()].filter((code) => whatsAppErrorTexts[code] === undefined);
    expect(wordless).toEqual([]);
    for (const words of Object.values(whatsAppErrorTexts)) expect(words).toMatch(/^[A-Z].*\.$/);
  });

  it('retries what the platform says to retry, and nothing else', () => {
    const retryable = [...whatsappErrorTable.keys()].filter(isRetryableCode).map(Number);
    expect(retryable).toEqual([
      1, 2, 4, 17, 613, 80007, 80008, 130429, 131000, 131016, 131056, 131057, 133000, 133004, 134101, 139102,
      139103,
    ]);
  });

  it.each(['0', '3', '10', '33', '104', '190', '200', '250', '299', '368', '131031', '131045', '133010'])(
    '%s stops everything on the channel',
    (code) => {
      expect(decideErrorAction(code)).toEqual({ kind: 'stop_channel', blocks: 'everything' });
    },
  );

  it.each(['131042', '131048'])('%s stops the campaigns of the channel and leaves replies alone', (code) => {
    expect(decideErrorAction(code)).toEqual({ kind: 'stop_channel', blocks: 'campaigns' });
  });

  it.each([
    ['132001', 'requeued'],
    ['132015', 'requeued'],
    ['132016', 'requeued'],
  ])('%s stops the campaign and its recipient is %s', (code, recipient) => {
    expect(decideErrorAction(code)).toEqual({ kind: 'stop_campaign', recipient });
  });

  it.each(['100', '131008', '131009', '132000', '132005', '132007', '132008', '132012', '132018'])(
    '%s speaks of the values of one recipient and fails for that one alone',
    (code) => {
      expect(decideErrorAction(code)).toEqual({ kind: 'fail' });
    },
  );

  it.each(['131063', '131064'])('%s stops the campaign in all of its languages', (code) => {
    const action = { kind: 'stop_campaign', recipient: 'requeued', ofAccount: true };
    expect(decideErrorAction(code)).toEqual(action);
  });

  it.each([
    ['131026', { kind: 'unreachable' }],
    ['131047', { kind: 'fail' }],
    ['131049', { kind: 'hold_recipient', hours: 24 }],
    ['131050', { kind: 'opt_out' }],
    ['131056', { kind: 'retry_pair', baseSeconds: 4 }],
    ['131057', { kind: 'retry', maxAttempts: 10, pauses: 'channel', afterMs: 60_000 }],
    ['130472', { kind: 'fail' }],
    ['777777', { kind: 'fail' }],
  ])('%s leads to %o', (code, action) => {
    expect(decideErrorAction(code)).toEqual(action);
  });

  it('knows no rule for an unlisted code', () => {
    expect(findErrorRule('777777')).toBeUndefined();
    expect(findErrorRule('300')).toBeUndefined();
  });
});

describe('words for people', () => {
  it.each([
    [{ code: '131047', title: 'Re-engagement message' }, /template instead\.$/],
    [{ code: '100', subcode: '2388024', title: 'x' }, /exists already/],
    [{ code: '190', subcode: '463', title: 'x' }, /access token has expired/],
    [{ code: '231', title: '' }, /permission/],
    [{ code: '777777', title: 'Title', details: 'Vendor details' }, /^Vendor details$/],
    [{ code: '777777', title: '' }, /code 777777/],
  ])('explain %o', (error, words) => {
    expect(explainDeliveryError(error)).toMatch(words);
  });
});
