import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDeliveryTag, parseDeliveryTag } from './delivery-tag.ts';

test('a tag comes back as what it names', () => {
  const tags = fc.record({
    runNo: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    seq: fc.integer({ min: 0, max: 0x7fff_ffff }),
    attempt: fc.integer({ min: 1, max: 0x7fff }),
  });
  fc.assert(
    fc.property(tags, (tag) => {
      expect(parseDeliveryTag(formatDeliveryTag(tag))).toEqual(tag);
    }),
  );
});

test.each([
  '',
  'd1.',
  'd1.1.2',
  'd1.1.2.3.4',
  'd2.1.2.3',
  'd1.-1.2.3',
  'd1.zzzzzzzzzzz.1.1',
  'd1.1.zzzzzzz.1',
  'D1.1.2.3',
])('%j is not ours', (text) => {
  expect(parseDeliveryTag(text)).toBeNull();
});
