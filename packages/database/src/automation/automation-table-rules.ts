import * as as from '../backup/read-in/column-rules.ts';
import type { TableRules } from '../table-rules.ts';

export const automationTableRules = {
  flows: {
    noContacts: 'what staff drew for nobody in particular',
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, draft: as.document, owner_id: as.person, paused_by_run: as.id },
        // It may be at work where the archive was taken.
        status: as.always(`CASE WHEN s.status = 'active' THEN 'paused' ELSE s.status END`),
        paused_for: as.always(`CASE WHEN s.status = 'active' THEN 'restored' ELSE s.paused_for END`),
        cancelled: as.always('greatest(s.cancelled, s.triggered - s.completed - s.failed)'),
      },
    },
    clear: { how: 'delete', keptForFile: 'a file holds none' },
  },
  flow_versions: {
    noContacts: 'the same, as it was published',
    archive: {
      how: 'move',
      columns: { ...as.ofWorkspace, flow_id: as.id, content: as.document, published_by: as.person },
    },
    clear: { how: 'cascade' },
  },
  flow_triggers: {
    noContacts: 'what begins the published version of each flow',
    archive: {
      how: 'move',
      columns: {
        ...as.ofWorkspace,
        flow_id: as.id,
        trigger_id: as.asWritten,
        config: as.document,
        conditions: as.document,
      },
    },
    clear: { how: 'cascade' },
  },
  flow_secrets: {
    noContacts: 'what opens the services that steps call',
    archive: { how: 'leave-out', because: 'sealed by the key of one installation: people enter them again' },
    clear: { how: 'delete', keptForFile: 'of workflows, which stay' },
  },
  flow_simulations: {
    noContacts: 'how many contacts a draft would have treated in which way',
    archive: { how: 'leave-out', because: 'a look at what might have been: it is made anew' },
    clear: { how: 'cascade' },
  },
  flow_forms: {
    noContacts: 'which address belongs to which form',
    archive: {
      how: 'leave-out',
      because: 'addresses of one installation: the workspace that activates a workflow takes them',
    },
    clear: { how: 'cascade' },
  },
  flow_sweeps: {
    noContacts:
      'what begins flows for many contacts; those whom a member picked stand there by id until they have entered',
    archive: { how: 'leave-out', because: 'what begins for many contacts begins in one installation' },
    clear: { how: 'cascade' },
  },
  flow_runs: {
    archive: {
      how: 'move',
      columns: {
        ...{ ...as.ofOwnId, flow_id: as.id, contact_id: as.id, channel_id: as.id, retried_from: as.id },
        // Names within one flow file.
        ...{ step_id: as.asWritten, trigger_id: as.asWritten },
        ...{ state: as.document, owner: as.always('NULL'), lease_until: as.always('NULL') },
        // What its effects came to since is not known here: it ends, and a person may retry it from a step.
        status: as.always(`CASE WHEN s.status = 'running' THEN 'cancelled' ELSE s.status END`),
        end_code: as.always(`CASE WHEN s.status = 'running' THEN 'restored' ELSE s.end_code END`),
        ...{ due_at: as.always('NULL'), ended_at: as.always('coalesce(s.ended_at, now())') },
      },
    },
    clear: { how: 'cascade' },
  },
  flow_starts: {
    archive: { how: 'leave-out', because: 'who waits to enter does so in one installation' },
    clear: { how: 'cascade' },
  },
  flow_entries: {
    archive: { how: 'move', columns: { ...as.ofWorkspace, flow_id: as.id, contact_id: as.id } },
    clear: { how: 'cascade' },
  },
  flow_inputs: {
    archive: { how: 'leave-out', because: 'what came for runs in one installation' },
    clear: { how: 'cascade' },
  },
  flow_effects: {
    archive: {
      how: 'leave-out',
      because: 'what is under way is so in one installation; the log has what came of it',
    },
    clear: { how: 'cascade' },
  },
  flow_hooks: {
    archive: { how: 'leave-out', because: 'they open one installation' },
    clear: { how: 'cascade' },
  },
  flow_hook_calls: {
    archive: { how: 'leave-out', because: 'what came to addresses of one installation' },
    clear: { how: 'cascade' },
  },
  flow_simulation_contacts: {
    archive: { how: 'leave-out', because: 'a look at what might have been: it is made anew' },
    clear: { how: 'cascade' },
  },
  flow_log: {
    archive: {
      how: 'move',
      columns: { ...as.ofOwnId, run_id: as.id, flow_id: as.id, step_id: as.asWritten, details: as.document },
    },
    clear: { how: 'delete', after: ['flows'], keptForFile: 'of runs, which stay with their workflows' },
  },
} as const satisfies TableRules;
