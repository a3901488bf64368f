import { expect } from 'vitest';
import { newId } from '@app/database/new-id';
import { createFlowEngine, type FlowEngine } from '@app/flows/flow-engine';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import type { WorkflowDetails } from '../../src/automation/workflows-queries.ts';
import type { WorkflowRun } from '../../src/automation/workflow-runs-queries.ts';
import { changeAsSystem } from '../../src/platform/system-work.ts';
import { openApiFixture, type ApiCaller, type ApiFixture } from '../api-fixture.ts';

export type LogLine = {
  stepId: string;
  event: string;
  exit: string | null;
  code: string | null;
  details: object;
};

export type FlowFixture = {
  api: ApiFixture;
  admin: ApiCaller;
  engine: FlowEngine;
  channelId: string;
  publish(flow: object): Promise<WorkflowDetails>;
  addContact(fields?: object): Promise<{ id: string; version: number; phone: string }>;
  /** Lets consumers hear of all that was committed, and the engine do what is due, until nothing is left. */
  settle(): Promise<void>;
  runsOf(workflowId: string): Promise<WorkflowRun[]>;
  /** The only run of the workflow, once it is over: jobs may take their time. */
  endOf(workflowId: string): Promise<WorkflowRun & { log: LogLine[] }>;
  contact(id: string): Promise<{ tags: string[]; customFields: Record<string, unknown> }>;
  /** As the webhooks store what a contact wrote. */
  receive(contactId: string, text: string, content?: object): Promise<string>;
};

/** Workflows on a real database, with an engine that moves when the test says so. */
export async function openFlowFixture(...options: Parameters<typeof openApiFixture>): Promise<FlowFixture> {
  const api = await openApiFixture(...options);
  const admin = await api.as('admin');
  const engine = createFlowEngine(openFlowHost(api.parts));
  const channelId = await api.addChannel();
  let phones = 0;
  const settle = async () => {
    for (let round = 0; round < 4; round += 1) {
      await api.facts.catchUp();
      await engine.drain();
    }
  };
  const read = async <Body>(path: string) => (await admin.get(path)).json<Body>();
  const runsOf = async (id: string) =>
    (await read<{ items: WorkflowRun[] }>(`/api/workflows/${id}/runs`)).items;
  return {
    ...{ api, admin, engine, channelId, settle, runsOf },
    async publish(flow) {
      const made = await (
        await admin.post('/api/workflows', { name: 'Flow', ...flow })
      ).json<WorkflowDetails>();
      expect(made.problems).toEqual([]);
      expect((await admin.post(`/api/workflows/${made.id}/publish`, { version: 1 })).status).toBe(200);
      return made;
    },
    async addContact(fields = {}) {
      phones += 1;
      const phone = `+1415555${String(1000 + phones)}`;
      return (await admin.post('/api/contacts', { name: 'Ann Lee', phone, ...fields })).json();
    },
    async endOf(workflowId) {
      await expect
        .poll(async () => {
          await settle();
          return (await runsOf(workflowId)).map(({ status }) => status);
        })
        .not.toContain('running');
      const [run] = await runsOf(workflowId);
      return read(`/api/workflow-runs/${run!.id}`);
    },
    contact: (id) => read(`/api/contacts/${id}`),
    async receive(contactId, text, content) {
      const id = newId();
      await changeAsSystem(api.parts, 'webhooks', api.workspaceId, async (scope) => {
        await scope.query(
          `INSERT INTO messages (id, workspace_id, channel_id, contact_id, direction, provider_message_id, type, text, payload, occurred_at, content)
           VALUES ($1, $2, $7, $3, 'in', $5, 'text', $4, '{}', $6, $8)`,
          [
            ...[id, api.workspaceId, contactId, text, `wamid.${id}`, scope.clock(), channelId],
            content === undefined ? null : JSON.stringify(content),
          ],
        );
        await scope.emit({
          ...{ type: 'messages.arrived', subject: null },
          values: { messageIds: [id], buttonIds: [null], contactIds: [contactId], conversationIds: [] },
        });
      });
      return id;
    },
  };
}

export const step = (id: string, type: string, config: object, rest: object = {}) => ({
  ...{ id, type, config },
  ...rest,
});
export const trigger = (type: string, config: object = {}) => ({ id: 'begin', type, config });
export const tagged = (tag: string) => trigger('tag_added', { tags: [tag] });

/** Waits an hour for a reply of each contact that gets the tag, and tags the contact with `replied` or `silent`. */
export const askingFlow = (tag: string) => ({
  ...{ triggers: [tagged(tag)], start: 'ask' },
  steps: [
    step(
      'ask',
      'wait_for_reply',
      { timeout: { amount: 1, unit: 'hours' } },
      { next: { replied: 'yes', timed_out: 'no' } },
    ),
    step('yes', 'add_tag', { tag: 'replied' }),
    step('no', 'add_tag', { tag: 'silent' }),
  ],
});
