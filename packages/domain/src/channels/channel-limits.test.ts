import { expect, test } from 'vitest';
import { limitsThrough } from './channel-limits.ts';

const number = (id: string, kind: string) => ({ id, kind, isConnected: true, stoppedFor: null });
const channels = [number('a', 'rcs'), number('b', 'rcs'), number('c', 'whatsapp')];
const limit = (isEnabled: boolean, perMinute: number, perDay: number) => ({ isEnabled, perMinute, perDay });

test.each([
  ['none while both are off', false, false, 'rcs', { perMinute: null, perDay: null, ofDay: null }],
  [
    'of its kind, shared by its channels alone',
    false,
    true,
    'rcs',
    { perMinute: 50, perDay: null, ofDay: 10_000 },
  ],
  ['of the workspace, shared by all', true, false, 'rcs', { perMinute: 100, perDay: 900, ofDay: null }],
  [
    'both at once, and the tighter one of each minute',
    true,
    true,
    'rcs',
    { perMinute: 50, perDay: 900, ofDay: 10_000 },
  ],
  ['nothing of another kind', false, true, 'whatsapp', { perMinute: null, perDay: null, ofDay: undefined }],
])('limits of a channel: %s', (_, isOn, isKindOn, kind, { perMinute, perDay, ofDay }) => {
  const settings = {
    messageLimits: limit(isOn, 300, 900),
    kindLimits: { rcs: limit(isKindOn, 100, 10_000) },
  };
  const id = kind === 'rcs' ? 'a' : 'c';
  expect(limitsThrough(settings, channels, { id, kind })).toEqual({
    ...{ perMinute, perDay },
    // Counted from the first limited message on, so that it is true when its limit is switched on later.
    ofKind: ofDay === undefined ? null : { name: 'rcs', perDay: ofDay },
  });
});
