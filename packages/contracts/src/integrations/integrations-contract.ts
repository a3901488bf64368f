import { connectorCategories, connectorTypes } from '@app/domain/integrations/connector-kind';
import { connectorItemStatuses, connectorItemTypes } from '@app/domain/integrations/connector-items';
import { connectorProblems } from '@app/domain/integrations/connector-problems';
import { mappingDirections, mappingWinners } from '@app/domain/integrations/contact-connector';
import {
  integrationLimits,
  integrationStatuses,
  recordErrors,
  runCounts,
  runStatuses,
  syncFrequencies,
  syncTriggers,
} from '@app/domain/integrations/integration-rules';
import { filterLimits, filterOperators, isCompleteRule } from '@app/domain/integrations/sync-filter';
import { z } from 'zod';
import { endpoint, id, instant, page, pageInput, versioned } from '../endpoint.ts';

export const kind = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,31}$/, 'A kind has small letters, digits and _, and at most 32 of them.')
  .describe('The service, such as `hubspot`.');
const one = z.strictObject({ kind });
const example = { kind: 'hubspot' };
const counts = z.record(z.enum(runCounts), z.number());
const fieldName = z.string().trim().min(1).max(integrationLimits.fieldName);

const fieldMapping = z.strictObject({
  /** `name`, `phone`, `email`, `language`, `opt_out`, or `custom.` and the key of a custom field. */
  ours: fieldName,
  theirs: fieldName,
  direction: z.enum(mappingDirections),
  /** Who decides where both sides changed the field since the last sync. */
  wins: z.enum(mappingWinners),
});

const filterRule = z
  .strictObject({
    /** A field of the service. */
    field: fieldName,
    /** `is` and `is_not` compare with `values`: one of them is enough. Letter case does not count. */
    operator: z.enum(filterOperators),
    values: z.array(z.string().trim().min(1).max(filterLimits.value)).max(filterLimits.values),
  })
  .refine(isCompleteRule, 'is and is_not need a value; is_set and is_empty have none.');

export const integrationRun = z.object({
  id,
  trigger: z.enum(syncTriggers),
  status: z.enum(runStatuses),
  counts,
  /** Of a preview: the first records, and what would become of each. */
  sample: z.array(
    z.object({
      action: z.enum(['created', 'updated', 'linked', 'unchanged', 'removed', 'skipped', 'failed']),
      name: z.string(),
      phone: z.string().nullable(),
      email: z.string().nullable(),
      error: z.enum(recordErrors).nullable(),
    }),
  ),
  problem: z.enum(connectorProblems).nullable(),
  problemDetail: z.string().nullable(),
  /** While it waits for the service. */
  resumesAt: instant.nullable(),
  startedBy: z.string(),
  startedAt: instant,
  endedAt: instant.nullable(),
});

/** One value of a form. */
const formField = z.object({
  name: z.string(),
  label: z.string(),
  isSecret: z.boolean(),
  isOptional: z.boolean(),
  /** Few people need it. */
  isAdvanced: z.boolean(),
  format: z.enum(['text', 'digits', 'url']),
});
const formValues = z.record(z.string().max(60), z.string().max(10_000));

export const integration = z.object({
  kind: z.string(),
  /** The vendor's name. */
  title: z.string(),
  category: z.enum(connectorCategories),
  /** Null where the Automation page has no type for it. */
  type: z.enum(connectorTypes).nullable(),
  features: z.array(z.string()),
  /** Whether it exchanges contacts, and so has a mapping, a preview and runs. */
  syncsContacts: z.boolean(),
  /** Whether contacts can be created and changed there. */
  takesContacts: z.boolean(),
  /** Whether it hears of what happens here. */
  hearsEvents: z.boolean(),
  /** The fields that a connection asks for. */
  fields: z.array(formField),
  /** How a person allows the connection on a page of the service instead; null where there is no such page. */
  consent: z
    .object({
      /** What the operator's own app at the service is known by. */
      fields: z.array(formField),
      /** The address to which the service sends the browser back. It is entered in the app. */
      redirectUrl: z.string(),
      /** Values of the stand-in of the sandbox. */
      sandbox: z.record(z.string(), z.string()).nullable(),
    })
    .nullable(),
  /** The page of the vendor where the values of `fields` are created. */
  setupUrl: z.string().nullable(),
  /** Values with which the stand-in of the sandbox opens; null in an installation without a sandbox. */
  sandbox: z.record(z.string(), z.string()).nullable(),
  /** The address that a person enters at the vendor for webhooks; null for a kind without webhooks, and for one that enters it itself. */
  webhookUrl: z.string().nullable(),
  status: z.enum(integrationStatuses),
  /** Why it shows an error, or what is not well without being one. */
  problem: z.enum(connectorProblems).nullable(),
  problemDetail: z.string().nullable(),
  account: z.string().nullable(),
  /** The end of the key, such as `••••1234`. */
  keyHint: z.string().nullable(),
  frequency: z.enum(syncFrequencies),
  mapping: z.array(fieldMapping),
  /** Which records come in: those that meet every rule. Empty: all. */
  filter: z.array(filterRule),
  createsThere: z.boolean(),
  createsTag: z.string().nullable(),
  /** Whether opt-ins that the service knows with source and time count here; null where it knows none. */
  takesOptIns: z.boolean().nullable(),
  /** False: the first sync waits for a look at its preview. */
  isStarted: z.boolean(),
  run: integrationRun.nullable(),
  lastSyncedAt: instant.nullable(),
  lastDurationMs: z.number().nullable(),
  nextSyncAt: instant.nullable(),
  /** When the service last said whether the connection works. */
  checkedAt: instant.nullable(),
  /** Records and events that were exchanged, of all syncs together. */
  recordsSynced: z.number(),
  /** Records that wait until the plan has room for more contacts. */
  recordsHeld: z.number(),
  /** Records of the service that belong to a contact here. */
  recordsLinked: z.number(),
  errors: z.number(),
  version: z.number(),
});

export const integrationItem = z.object({
  id,
  /** The vendor's name. */
  service: z.string(),
  type: z.enum(connectorItemTypes),
  title: z.string(),
  status: z.enum(connectorItemStatuses),
  /** A decimal number. */
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  url: z.string().nullable(),
  at: instant,
  /** Of a booking. */
  startsAt: instant.nullable(),
});

const notThere = ['integration_not_found'] as const;

export const integrationsContract = {
  list: endpoint({
    method: 'GET',
    path: '/integrations',
    access: 'settings:read',
    forKeys: true,
    summary: 'Every service that can be connected, with the state of its connection',
    input: z.object({}),
    output: z.object({
      items: z.array(integration),
      totals: z.object({
        connected: z.number(),
        recordsSynced: z.number(),
        activeSyncs: z.number(),
        errors: z.number(),
      }),
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/integrations/{kind}',
    access: 'settings:read',
    forKeys: { example },
    summary: 'One service with the state of its connection',
    input: z.object({ kind }),
    output: integration,
    errors: ['integration_not_found'],
  }),
  listFields: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/fields',
    access: 'settings:read',
    summary: 'The fields of the service that can be mapped, as the service names them now',
    input: z.object({ kind }),
    output: z.object({
      items: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          isReadOnly: z.boolean(),
          /** Its values, where the service has a fixed list of them. */
          options: z.array(z.object({ value: z.string(), label: z.string() })),
        }),
      ),
    }),
    errors: [...notThere, 'integration_not_connected', 'integration_refused'],
  }),
  connect: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/connect',
    access: 'settings:manage',
    repeat: 'keyed-outside',
    summary:
      'Connects an account, or connects it anew with other credentials, after the service has accepted them. A connection that exchanges contacts begins with a preview',
    input: z.strictObject({ kind, values: formValues }),
    output: integration,
    errors: [...notThere, 'integration_incomplete', 'integration_refused', 'integration_changed'],
  }),
  beginConsent: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/consent',
    access: 'settings:manage',
    repeat: { harmless: 'It stores nothing: each request begins another way to the service.' },
    summary: 'The page of the service on which a person allows the connection, and a ticket for the way back',
    input: z.strictObject({ kind, values: formValues }),
    output: z.object({
      address: z.url(),
      /** Sealed, for ten minutes, this session and this connection. It stays in the browser. */
      ticket: z.string(),
    }),
    errors: [...notThere, 'integration_not_available', 'integration_incomplete'],
  }),
  finishConsent: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/consent/finish',
    access: 'settings:manage',
    repeat: { harmless: 'A ticket works once: the connection that it made is not the one that it was for.' },
    summary: 'Connects the account with what the service sent back, after the service has accepted it',
    input: z.strictObject({
      kind,
      ticket: z.string().min(1).max(60_000),
      state: z.string().min(1).max(500),
      code: z.string().min(1).max(4_000),
    }),
    output: integration,
    errors: [...notThere, 'integration_not_available', 'integration_refused', 'integration_consent_expired'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/integrations/{kind}',
    access: 'settings:manage',
    repeat: versioned,
    summary:
      'Sets frequency, mapping and filter, unless the connection was changed since `version`. Before the first sync the preview begins anew where mapping or filter changed',
    input: z.strictObject({
      kind,
      frequency: z.enum(syncFrequencies),
      mapping: z.array(fieldMapping).max(integrationLimits.mapping),
      /** Without it the filter stays as it is. */
      filter: z.array(filterRule).max(filterLimits.rules).optional(),
      createsThere: z.boolean(),
      createsTag: z.string().trim().max(60).nullable(),
      takesOptIns: z.boolean().optional(),
      version: z.number().int().min(1).max(2_000_000_000),
    }),
    output: integration,
    errors: [...notThere, 'integration_not_connected', 'integration_changed', 'integration_mapping_invalid'],
  }),
  beginPreview: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/preview',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Reads the records of the service and counts what a sync would do, without changing a contact',
    input: one,
    output: integration,
    errors: [...notThere, 'integration_not_connected', 'integration_syncing'],
  }),
  sync: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/sync',
    access: 'settings:manage',
    forKeys: { example },
    repeat: 'keyed',
    summary: 'Starts a sync now. The first one needs a preview that is done',
    input: one,
    output: integration,
    errors: [...notThere, 'integration_not_connected', 'integration_syncing', 'integration_preview_missing'],
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/cancel',
    access: 'settings:manage',
    repeat: { harmless: 'A run that has ended stays as it is.' },
    summary: 'Stops the run that is under way. What it has done stays',
    input: one,
    output: integration,
    errors: notThere,
  }),
  check: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/check',
    access: 'settings:manage',
    repeat: { harmless: 'It asks the service and stores what it said.' },
    summary: 'Asks the service whether the connection works',
    input: one,
    output: integration,
    errors: [...notThere, 'integration_not_connected'],
  }),
  disconnect: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/disconnect',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Deletes the credentials and stops every sync. Contacts stay',
    input: one,
    output: integration,
    errors: [...notThere, 'integration_not_connected'],
  }),
  listRuns: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/runs',
    access: 'settings:read',
    forKeys: { example },
    summary: 'Syncs of a connection, the newest first',
    input: pageInput.extend({ kind }),
    output: page(integrationRun),
    errors: ['integration_not_found'],
  }),
  listHeld: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/held',
    access: ['settings:read', 'contacts:read'],
    forKeys: { example },
    summary:
      'Records that wait until the plan has room for more contacts, in the order in which they come in',
    input: pageInput.extend({ kind }),
    output: page(
      z.object({
        id,
        externalId: z.string(),
        name: z.string(),
        phone: z.string().nullable(),
        email: z.string().nullable(),
      }),
    ),
    errors: ['integration_not_found'],
  }),
  listErrors: endpoint({
    method: 'GET',
    path: '/integrations/{kind}/errors',
    access: ['settings:read', 'contacts:read'],
    forKeys: { example },
    summary: 'Records that could not be exchanged, each with the reason, the newest first',
    input: pageInput.extend({ kind }),
    output: page(
      z.object({
        id,
        /** `in`: from the service to us. */
        side: z.enum(['in', 'out']),
        externalId: z.string().nullable(),
        contactId: id.nullable(),
        name: z.string(),
        phone: z.string().nullable(),
        email: z.string().nullable(),
        error: z.enum(recordErrors),
        /** What it is about: the id of the other record, or the words of the service. */
        detail: z.string().nullable(),
        tries: z.number(),
        at: instant,
      }),
    ),
    errors: ['integration_not_found'],
  }),
  listItemsOfContact: endpoint({
    method: 'GET',
    path: '/contacts/{contactId}/orders',
    access: 'contacts:read',
    summary: 'The newest orders, checkouts and bookings of a contact at connected services',
    input: z.object({ contactId: id }),
    output: z.object({ items: z.array(integrationItem) }),
    errors: ['contact_not_found'],
  }),
  retry: endpoint({
    method: 'POST',
    path: '/integrations/{kind}/errors/retry',
    access: 'settings:manage',
    repeat: 'keyed',
    summary: 'Tries every record that failed once more',
    input: one,
    output: integration,
    errors: [...notThere, 'integration_not_connected', 'integration_syncing', 'integration_preview_missing'],
  }),
};
