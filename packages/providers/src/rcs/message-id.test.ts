import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatMessageTag } from '@app/domain/conversations/message-tag';
import { formatDeliveryTag } from '@app/domain/delivery/delivery-tag';
import { messageIdOf, tagOf } from './message-id.ts';

const most = { number: Number.MAX_SAFE_INTEGER, seq: 0x7fff_ffff, attempt: 0x7fff };

describe('the id of an RCS message', () => {
  // Ids that were sent before come back in reports and repeats: they stay what they were.
  test.each([
    [{ runNo: 1, seq: 1, attempt: 1 }, '00000000-0000-8040-8000-0020007d166a'],
    [{ runNo: 123_456_789, seq: 987_654_321, attempt: 3 }, '0000001d-6f34-855d-9bcd-162000fd166a'],
    [{ runNo: most.number, seq: most.seq, attempt: most.attempt }, '7fffffff-ffff-8fff-bfff-fffffffd166a'],
  ])('of a campaign: %j', (tag, id) => {
    expect(messageIdOf(formatDeliveryTag(tag), '4711')).toBe(id);
  });

  test.each([
    [{ no: 1, attempt: 1 }, '80000000-0000-8040-8000-0000007d166a'],
    [{ no: most.number - 1, attempt: 2 }, 'ffffffff-ffff-8f80-8000-000000bd166a'],
  ])('of a single message: %j', (tag, id) => {
    expect(messageIdOf(formatMessageTag(tag), '4711')).toBe(id);
  });

  it('gives back every tag', () => {
    const number = fc.integer({ min: 0, max: most.number });
    const attempt = fc.integer({ min: 0, max: most.attempt });
    const ofRun = fc.record({ runNo: number, seq: fc.integer({ min: 0, max: most.seq }), attempt });
    const tags = fc.oneof(
      ofRun.map(formatDeliveryTag),
      fc.record({ no: number, attempt }).map(formatMessageTag),
    );
    fc.assert(
      fc.property(tags, fc.string(), (tag, origin) => {
        const id = messageIdOf(tag, origin);
        expect(tagOf(id)).toBe(tag);
        expect(tagOf(id.toUpperCase())).toBe(tag);
      }),
    );
  });

  it('differs by origin', () => {
    expect(messageIdOf('d1.1.1.1', 'one')).not.toBe(messageIdOf('d1.1.1.1', 'other'));
  });

  test.each(['', 'no id', '01990000-0000-7000-8000-000000000000', '00000000-0000-8040-c000-0020007d166a'])(
    'knows no tag in %j',
    (id) => {
      expect(tagOf(id)).toBeNull();
    },
  );
});
