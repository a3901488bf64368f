import { connectionProblems } from '@app/domain/channels/channel-connector';
import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

const one = z.object({ channelId: id });
const version = z.number().int().min(1).max(2_000_000_000);
/** `sandbox`: the stand-in that belongs to this installation. */
const server = z.enum(['platform', 'sandbox']);
/** By the names of the kind's form, without where calls go. */
const values = z.record(z.string().min(1).max(64), z.string().max(10_000));

/** What its owner sees of a connected number or agent. Secrets never leave the server. */
export const connection = z.object({
  id,
  kind: z.string(),
  version: z.number(),
  isConnected: z.boolean(),
  /** The workspace sends through this one where nobody chooses another. */
  isDefault: z.boolean(),
  server: z.enum(['platform', 'sandbox', 'other']),
  displayName: z.string(),
  accountName: z.string(),
  values: z.record(z.string(), z.string()),
  /** Which secrets are set, with their last characters; empty for one that is too short to show any. */
  secrets: z.record(z.string(), z.object({ lastFour: z.string() })),
  webhookUrl: z.string(),
  /** Null for who may only look. */
  webhookToken: z.string().nullable(),
  /** Why the platform cannot call that address. */
  webhookProblem: z.enum(['local_address', 'not_https']).nullable(),
  stopped: z.object({ code: z.string().nullable(), blocks: z.enum(['everything', 'campaigns']) }).nullable(),
  /** What the platform said last against what opens it, by a check or because it refused something. */
  trouble: z
    .object({ problem: z.enum(connectionProblems), detail: z.string().nullable(), at: instant })
    .nullable(),
  /** When what opens it ends, once that is near; null while it is not, and once it is a trouble. */
  endsAt: instant.nullable(),
  lastSync: instant.nullable(),
});

const field = z.object({
  name: z.string(),
  /** Key of its words in the catalogues. */
  label: z.string(),
  isSecret: z.boolean(),
  format: z.enum(['text', 'digits', 'url', 'choice']),
  /** Of a choice: what may be chosen, the usual one first. */
  choices: z.array(z.string()),
});

const proof = z.object({
  fields: z.array(
    z.object({
      field: z.string(),
      state: z.enum(['right', 'wrong', 'unproven']),
      problem: z.enum(connectionProblems).nullable(),
      detail: z.string().nullable(),
    }),
  ),
  accountName: z.string().nullable(),
  displayName: z.string().nullable(),
});

export const connectionsContract = {
  list: endpoint({
    method: 'GET',
    path: '/channels/connections',
    access: 'settings:read',
    summary: 'How the workspace is connected, and what a new number needs',
    input: z.object({}),
    output: z.object({
      kinds: z.array(
        z.object({
          name: z.string(),
          fields: z.array(field),
          /** Under which name a chosen word for the webhooks stands among the values. */
          webhookToken: z.string(),
          /** Without these nothing can be tested. */
          least: z.array(z.string()),
          servers: z.array(server),
          /** Where the stand-in of this installation shows the values that it asks for. */
          sandboxConsole: z.string().nullable(),
          webhookUrl: z.string(),
        }),
      ),
      items: z.array(connection),
    }),
  }),
  prove: endpoint({
    method: 'POST',
    path: '/channels/connections/proof',
    access: 'settings:manage',
    repeat: { harmless: 'It keeps what the platform says of what is stored; a second one hears the same.' },
    summary: 'Asks the platform about each value; secrets that are left out are those that are stored',
    input: z.object({ channelId: id.optional(), kind: z.string().max(32), server, values }),
    output: proof,
    errors: ['channel_not_found', 'connection_incomplete'],
  }),
  create: endpoint({
    method: 'POST',
    path: '/channels/connections',
    access: 'settings:manage',
    repeat: { harmless: 'A number is connected once: a second request with the same values finds it.' },
    summary: 'Connects a number or agent, after the platform found every value right',
    input: z.object({ kind: z.string().max(32), server, values }),
    output: connection,
    errors: ['connection_incomplete', 'connection_refused', 'platform_unreachable', 'channel_exists'],
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/channels/connections/{channelId}',
    access: 'settings:manage',
    repeat: { harmless: 'It names the version that it changes: a second one finds another version.' },
    summary: 'Changes what opens a number, or connects it again; what had stopped for that goes on',
    input: one.extend({ version, server, values }),
    output: connection,
    errors: [
      'channel_not_found',
      'channel_changed',
      'channel_number_fixed',
      'connection_incomplete',
      'connection_refused',
      'platform_unreachable',
    ],
  }),
  disconnect: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/disconnect',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Sends nothing through a number until it is connected again; its campaigns pause',
    input: one,
    output: connection,
    errors: ['channel_not_found'],
  }),
  getSubscription: endpoint({
    method: 'GET',
    path: '/channels/connections/{channelId}/subscription',
    access: 'settings:read',
    summary: 'Asks the platform where it sends what happens in the account of a number',
    input: one,
    output: z.object({
      /** `none`: nowhere. `elsewhere`: to another address than ours; null where the platform does not say to which. */
      state: z.enum(['here', 'elsewhere', 'none', 'unknown']),
      address: z.string().nullable(),
      /** That of the app, for accounts without one of their own. */
      appAddress: z.string().nullable(),
      /** Kinds of news that are needed and not sent, as the vendor calls them; null where the platform does not say. */
      missing: z.array(z.string()).nullable(),
    }),
    errors: ['channel_not_found', 'channel_not_connected'],
  }),
  subscribe: endpoint({
    method: 'POST',
    path: '/channels/connections/{channelId}/subscription',
    access: 'settings:manage',
    repeat: { harmless: 'The account has one address: a second request sets the same one.' },
    summary:
      'Has the platform send all that happens in the account of a number to us; it calls our address to be sure',
    input: one,
    output: z.object({
      milliseconds: z.number(),
      /** Kinds of news that are sent from now on, and those that still are not. */
      added: z.array(z.string()),
      missing: z.array(z.string()).nullable(),
      appAddress: z.string().nullable(),
      /** Why those that are missing could not be had, in the platform's words. */
      reason: z.string().nullable(),
    }),
    errors: [
      'channel_not_found',
      'channel_not_connected',
      'platform_unreachable',
      'platform_refused',
      'webhook_unreachable',
    ],
  }),
};
