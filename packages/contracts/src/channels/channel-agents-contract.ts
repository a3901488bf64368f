import { readInternational } from '@app/domain/contacts/written-number';
import { contactLimits } from '@app/domain/contacts/contact';
import { launchStates, testDeviceStatuses } from '@app/domain/channels/agent-desk';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

const ofChannel = z.object({ channelId: id });
const ofPhone = ofChannel.extend({
  /** With country code; spaces and the like are left out. */
  phone: z
    .string()
    .max(contactLimits.phone)
    .transform((text) => readInternational(text) ?? '')
    .pipe(z.e164()),
});
const atPlatform = [
  'channel_not_found',
  'channel_without_agent',
  'channel_not_connected',
  'platform_unreachable',
  'platform_refused',
] as const;

const word = z.string().nullable();

/** A phone that gets messages of the agent before it is launched. */
const testDevice = z.object({ phone: z.string(), status: z.enum(testDeviceStatuses) });

/** An agent as its platform describes it now; null for what the platform does not say. */
const agent = z.object({
  ...{ displayName: word, brand: word, description: word, useCase: word, region: word, billing: word },
  /** Over all carriers. */
  launchState: z.enum(launchStates),
  launches: z.array(z.object({ carrier: z.string(), state: z.enum(launchStates) })),
  /** What a test device can show of it, as the platform names it; null without one that accepted. */
  features: z.array(z.string()).nullable(),
});

export const channelAgentsContract = {
  get: endpoint({
    method: 'GET',
    path: '/channels/connections/{channelId}/agent',
    access: 'settings:read',
    summary:
      'Asks the platform for the agent behind a channel: its brand, its launch, and what phones show of it',
    input: ofChannel,
    output: agent,
    errors: atPlatform,
  }),
  listTestDevices: endpoint({
    method: 'GET',
    path: '/channels/connections/{channelId}/test-devices',
    access: 'settings:read',
    summary: 'Phones that were invited to test the agent, with what they answered',
    input: ofChannel,
    output: z.object({ items: z.array(testDevice) }),
    errors: atPlatform,
  }),
  inviteTestDevice: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/test-devices',
    access: 'settings:manage',
    repeat: { harmless: 'A phone is invited once: a second request finds the first invitation.' },
    summary: 'Has the platform invite a phone to test the agent. A person accepts on the phone',
    input: ofPhone,
    output: testDevice,
    errors: atPlatform,
  }),
  removeTestDevice: endpoint({
    method: 'DELETE',
    path: '/channels/connections/{channelId}/test-devices/{phone}',
    access: 'settings:manage',
    repeat: { harmless: 'A phone that is removed already stays so.' },
    summary: 'Removes a test device: before the launch the agent reaches it no more',
    input: ofPhone,
    output: z.object({}),
    errors: atPlatform,
  }),
};
