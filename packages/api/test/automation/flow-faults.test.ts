import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { QueryError } from '@app/database/query-error';
import { newId } from '@app/database/new-id';
import { isThorough } from '@app/database/testing/thorough';
import { actorCaller } from '@app/domain/auth/caller';
import { createFlowEngine } from '@app/flows/flow-engine';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import { workflowCampaign } from '../../src/automation/engine/later/add-to-campaign.ts';
import { workflowMail } from '../../src/automation/engine/later/email-notification.ts';
import { workflowCall } from '../../src/automation/engine/later/webhook-call.ts';
import type { ApiDependencies } from '../../src/platform/request-context.ts';
import { openFlowFixture, step, tagged, type FlowFixture } from './flow-fixture.ts';

const CONTACTS = isThorough ? 17 : 8;
const LEASE_MS = 16_000;
const jobs = {
  webhook_call: workflowCall,
  email_notification: workflowMail,
  add_to_campaign: workflowCampaign,
};

let flows: FlowFixture;
let server: Server;
let called: string[] = [];
beforeAll(async () => {
  flows = await openFlowFixture({}, { isWorking: false });
  server = createServer((request, response) => {
    called.push(decodeURIComponent(request.url ?? ''));
    response.end('{}');
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await flows.api.close();
});

/** As a process that ends: what it had not committed is gone, and nobody handles the error. */
class Killed extends QueryError {
  constructor() {
    super({ code: '57P01' });
  }
}

/** The same numbers from 0 to 1 for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

// Thoroughly: 300 lives of processes with 5,000 runs between them.
test.each(isThorough ? Array.from({ length: 300 }, (_, place) => 11 * (place + 1)) : [11])(
  'processes that die between any two steps (seed %i) do each change once, and each call and mail at most once',
  async (seed) => {
    const { api, admin } = flows;
    const { systemPool } = api.db;
    await systemPool.query('DELETE FROM flows');
    called = [];
    const random = randomOf(seed);
    let isDead = false;
    const mayDie = (share: number) => {
      isDead ||= random() < share;
      if (isDead) throw new Killed();
    };
    const mails: string[] = [];
    const parts: ApiDependencies = {
      ...api.parts,
      // Who is dead changes nothing any more, not even in a `catch`.
      db: {
        ...api.db,
        inSystemWorkspace: async (workspaceId, work) => {
          mayDie(0);
          return api.db.inSystemWorkspace(workspaceId, work);
        },
      },
      calls: {
        ...api.parts.calls,
        async call(wanted) {
          mayDie(0.15);
          const outcome = await api.parts.calls.call(wanted);
          mayDie(0.15);
          return outcome;
        },
      },
      mailer: {
        async send({ subject }) {
          mayDie(0.15);
          mails.push(subject);
          mayDie(0.15);
        },
      },
    };
    const startProcess = () => {
      const host = openFlowHost(parts);
      return createFlowEngine({
        ...host,
        inWorkspace: async (workspaceId, work) => {
          const result = await host.inWorkspace(workspaceId, async (transaction) => {
            const inside = await work(transaction);
            mayDie(0.1);
            return inside;
          });
          mayDie(0.1);
          return result;
        },
      });
    };
    const campaignId = newId();
    await systemPool.query(
      `INSERT INTO campaigns (id, workspace_id, name, custom_message, audience, audience_size, status)
       VALUES ($1, $2, 'Autumn', 'Hello', '{"contactIds": []}', 0, 'draft')`,
      [campaignId, api.workspaceId],
    );
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/{{contact.phone}}`;
    const { id } = await flows.publish({
      ...{ triggers: [tagged(`go ${seed}`)], start: 'note' },
      steps: [
        step('note', 'add_note', { text: 'First' }, { next: { done: 'call' } }),
        step(
          'call',
          'webhook_call',
          { method: 'POST', url, retries: 0 },
          { next: { done: 'mail', failed: 'mail' } },
        ),
        step(
          'mail',
          'email_notification',
          { to: 'owner', subject: '{{contact.phone}}', text: 'Hi' },
          { next: { done: 'add', failed: 'add' } },
        ),
        step('add', 'add_to_campaign', { campaign: campaignId }, { next: { done: 'last', failed: 'last' } }),
        step('last', 'add_note', { text: 'Last' }),
      ],
    });
    const contacts = [];
    for (let count = 0; count < CONTACTS; count += 1)
      contacts.push(await flows.addContact({ tags: [`go ${seed}`] }));
    await api.facts.catchUp();

    let engine = startProcess();
    for (let round = 0; round < 300 && !(await isOver()); round += 1) {
      try {
        await engine.drain();
        await doJobs();
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        isDead = false;
        engine = startProcess();
        api.advance(LEASE_MS);
      }
    }

    const runs = await flows.runsOf(id);
    expect(runs.map(({ status }) => status)).toEqual(contacts.map(() => 'completed'));
    const { rows: notes } = await systemPool.query(
      `SELECT c.contact_id, array_agg(n.body ORDER BY n.body) AS bodies FROM conversation_notes n JOIN conversations c ON c.id = n.conversation_id
        WHERE c.contact_id = ANY ($1) GROUP BY 1`,
      [contacts.map((contact) => contact.id)],
    );
    expect(notes.map(({ bodies }) => bodies)).toEqual(contacts.map(() => ['First', 'Last']));
    const { rows: campaigns } = await systemPool.query(
      'SELECT audience, audience_size FROM campaigns WHERE id = $1',
      [campaignId],
    );
    const { rows: exits } = await systemPool.query(
      `SELECT l.step_id, l.exit, l.details, k.id AS contact, k.phone FROM flow_log l JOIN flow_runs r ON r.id = l.run_id JOIN contacts k ON k.id = r.contact_id
        WHERE l.flow_id = $1`,
      [id],
    );
    const told = (stepId: string) => exits.filter((entry) => entry.step_id === stepId && entry.exit !== null);
    for (const stepId of ['note', 'call', 'mail', 'add', 'last'])
      expect(new Set(told(stepId).map(({ contact }) => contact)).size).toBe(CONTACTS);
    const added = told('add').filter(({ exit }) => exit === 'done');
    expect(campaigns[0].audience.contactIds.toSorted()).toEqual(
      added.map(({ contact }) => contact).toSorted(),
    );
    expect(campaigns[0].audience_size).toBe(added.length);
    for (const { phone, exit, details } of told('call')) {
      const times = called.filter((path) => path === `/${phone}`).length;
      expect([times, exit, details.isUnknown === true]).toEqual(
        exit === 'done' ? [1, 'done', false] : [times > 1 ? 'twice' : times, 'failed', true],
      );
    }
    for (const { phone, exit, details } of told('mail')) {
      const times = mails.filter((subject) => subject === phone).length;
      expect([times, exit, details.isUnknown === true]).toEqual(
        exit === 'done' ? [1, 'done', false] : [times > 1 ? 'twice' : times, 'failed', true],
      );
    }
    // Some died over theirs: else this would promise nothing.
    expect(told('call').some(({ exit }) => exit === 'failed')).toBe(true);

    async function isOver(): Promise<boolean> {
      const { rows } = await systemPool.query(
        `SELECT count(*)::int AS n FROM flow_runs WHERE flow_id = $1 AND status <> 'running'`,
        [id],
      );
      return rows[0].n === CONTACTS;
    }

    /** As the queue does: each open one again, until its outcome is stored. */
    async function doJobs(): Promise<void> {
      const { rows } = await systemPool.query<{
        run_id: string;
        visit: number;
        number: number;
        kind: keyof typeof jobs;
      }>(
        `SELECT run_id, visit, number, kind FROM flow_effects WHERE state IN ('asked', 'begun') AND message_id IS NULL ORDER BY run_id, visit`,
      );
      for (const { run_id: runId, visit, number, kind } of rows) {
        mayDie(0.05);
        await jobs[kind].perform(parts, {
          ...{ id: `${runId}-${visit}`, payload: { runId, visit, number }, workspaceId: api.workspaceId },
          ...{ cause: null, signal: new AbortController().signal },
          from: actorCaller('automation', { id, name: 'Flow', workspaceId: api.workspaceId }),
        });
      }
    }
    expect((await admin.get(`/api/workflows/${id}`)).status).toBe(200);
  },
);
