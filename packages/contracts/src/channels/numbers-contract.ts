import { numberHealths, qualities } from '@app/domain/channels/number-standing';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';
import { connection } from './connections-contract.ts';

const address = z.string().min(1).max(64);
const ofAccount = z.object({ channelId: id });
const one = ofAccount.extend({ address });
/** What the platform says comes with its sentence and its code. */
const atPlatform = [
  'channel_not_found',
  'channel_not_connected',
  'platform_unreachable',
  'platform_refused',
] as const;

/** One number of the account behind a connected channel, as the platform describes it. */
export const accountNumber = z.object({
  address,
  displayNumber: z.string(),
  name: z.string().nullable(),
  quality: z.enum(qualities),
  status: z.string().nullable(),
  nameStatus: z.string().nullable(),
  codeStatus: z.string().nullable(),
  maySend: z.boolean(),
  hasPin: z.boolean(),
  /** How many people a day may be written to first, as far as the platform says. */
  peopleADay: z.union([z.number(), z.literal('unlimited')]).nullable(),
  /** What the platform lets through. */
  messagesPerSecond: z.number().nullable(),
  /** Ours, where the number is connected. */
  channel: z
    .object({
      id,
      version: z.number(),
      isConnected: z.boolean(),
      isDefault: z.boolean(),
      messagesPerSecond: z.number(),
      /** Whether the platform lets it send, with all that it stands on, when it was last asked. */
      health: z.enum(numberHealths).nullable(),
    })
    .nullable(),
});

export const MOST_PER_SECOND = 1_000;

export const numbersContract = {
  list: endpoint({
    method: 'GET',
    path: '/channels/connections/{channelId}/numbers',
    access: 'settings:read',
    summary: 'Asks the platform for every number of the account behind a channel',
    input: ofAccount,
    output: z.object({ items: z.array(accountNumber) }),
    errors: atPlatform,
  }),
  add: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/numbers',
    access: 'settings:manage',
    repeat: { harmless: 'A number is connected once: a second request finds it with the same credentials.' },
    summary: 'Connects another number of the same account with the credentials of this one',
    input: one,
    output: connection,
    errors: [...atPlatform, 'channel_exists', 'connection_refused'],
  }),
  requestCode: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/numbers/code',
    access: 'settings:manage',
    repeat: { harmless: 'Each code takes the place of the one before; the platform limits how often.' },
    summary: 'Has the platform send a code to the number, by which its owner proves that it is theirs',
    input: one.extend({ by: z.enum(['sms', 'voice']), language: z.string().min(2).max(20) }),
    output: z.object({}),
    errors: atPlatform,
  }),
  verifyCode: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/numbers/verification',
    access: 'settings:manage',
    repeat: { harmless: 'A number that is verified stays so.' },
    summary: 'Gives the platform the code that came to the number',
    input: one.extend({ code: z.string().min(3).max(12) }),
    output: z.object({}),
    errors: atPlatform,
  }),
  register: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/numbers/registration',
    access: 'settings:manage',
    repeat: { harmless: 'A number that is registered stays so under the same PIN.' },
    summary: 'Lets a verified number send. The first registration sets its PIN, later ones ask for it',
    input: one.extend({ pin: z.string().length(6) }),
    output: z.object({}),
    errors: atPlatform,
  }),
  setDefault: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/default',
    access: 'settings:manage',
    repeat: { harmless: 'There is one such number: a second request sets the same.' },
    summary: 'The workspace sends through this number where nobody chooses another',
    input: ofAccount,
    output: connection,
    errors: ['channel_not_found', 'channel_not_connected'],
  }),
  setRate: endpoint({
    method: 'PATCH',
    path: '/channels/connections/{channelId}/rate',
    access: 'settings:manage',
    repeat: { harmless: 'It names the version that it changes: a second one finds another version.' },
    summary: 'How many messages a second leave through this number at most',
    input: ofAccount.extend({
      version: z.number().int().min(1).max(2_000_000_000),
      messagesPerSecond: z.number().int().min(1).max(MOST_PER_SECOND),
    }),
    output: connection,
    errors: ['channel_not_found', 'channel_changed'],
  }),
};
