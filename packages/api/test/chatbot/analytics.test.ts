import { createFlowEngine } from '@app/flows/flow-engine';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import type { readBotAnalytics } from '../../src/chatbot/analytics/bot-analytics.ts';
import { openArrivals } from '../arrivals.ts';
import { said } from '../arriving-events.ts';

const { admin, api, arrive, query } = await openArrivals();
const engine = createFlowEngine(openFlowHost(api.parts));
beforeEach(async () => {
  for (const table of ['bot_answers', 'bot_settings', 'flows', 'ai_calls', 'contacts'])
    await query(`DELETE FROM ${table}`);
});
const settle = async () => {
  for (let round = 0; round < 4; round += 1) {
    await api.facts.catchUp();
    await engine.drain();
  }
};
let spoken = 0;
const write = async (phone: string, text: string) => {
  spoken += 1;
  await arrive(said({ phone }, text, { occurredAt: Date.now() - 600_000 + spoken * 5_000 }));
  await settle();
};
type Analytics = Awaited<ReturnType<typeof readBotAnalytics>>;
const read = async () => (await admin.get('/api/bot/analytics?days=1')).json<Analytics>();

describe('the analytics of the bot', () => {
  test('show after which step of a flow customers go no further, and how fast answers leave', async () => {
    const { version } = await (await admin.get('/api/bot/settings')).json<{ version: number }>();
    await admin.put('/api/bot/settings', { isEnabled: true, responseDelay: 0, version });
    const made = await admin.post('/api/bot-flows', {
      ...{ name: 'Sizes', trigger: { type: 'keyword', value: 'size' } },
      responses: [
        { type: 'text', content: 'We have all sizes.' },
        { type: 'text', content: 'Which one?', delay: 60_000 },
      ],
    });
    const { id } = await made.json<{ id: string }>();
    await admin.put(`/api/bot-flows/${id}/active`, { isActive: true });
    await write('+14155552671', 'what size');
    await write('+14155552671', 'an agent please');
    await write('+14155552672', 'what size');
    // Nothing leaves here by itself: the first message of the second customer is reported as sent.
    await query(
      `INSERT INTO flow_log (id, workspace_id, run_id, flow_id, visit, step_id, type, event, exit, details, attempt, began_at, ended_at)
       SELECT gen_random_uuid(), workspace_id, id, flow_id, 1, 'response-1', 'send_message', 'done', 'done', '{}', 1, now(), now()
         FROM flow_runs WHERE status = 'running' AND flow_id = $1`,
      [id],
    );
    await query(`UPDATE flow_runs SET step_id = 'response-2' WHERE status = 'running' AND flow_id = $1`, [
      id,
    ]);
    const { flows, handoffs, conversations, solved, times } = await read();
    expect({ conversations, solved, handoffs }).toEqual({
      ...{ conversations: 2, solved: 1, handoffs: [{ reason: 'keyword', n: 1 }] },
    });
    expect(flows).toMatchObject([
      {
        ...{ flowId: id, name: 'Sizes', started: 2 },
        steps: [
          { stepId: 'response-1', type: 'send_message', text: 'We have all sizes.', reached: 2, stopped: 1 },
          { stepId: 'response-2', type: 'send_message', text: 'Which one?', reached: 1, stopped: 0 },
        ],
      },
    ]);
    expect(times).toEqual({ answers: 0, medianMs: null, slowestMs: null });
    await query(
      `UPDATE messages o SET sent_at = i.occurred_at + interval '1500 milliseconds' FROM messages i
        WHERE o.direction = 'out' AND i.direction = 'in' AND i.contact_id = o.contact_id`,
    );
    expect((await read()).times).toMatchObject({ answers: expect.any(Number), medianMs: expect.any(Number) });
  });

  test('set the confidence of a model against what became of the conversation, and count its cost', async () => {
    const answer = (
      contact: string,
      rule: string,
      confidence: number | null,
      handoff: string | null,
      at: string,
    ) =>
      query(
        `INSERT INTO bot_answers (message_id, workspace_id, contact_id, channel_id, rule, handoff, decided_at, model)
         SELECT gen_random_uuid(), w.id, md5($1)::uuid, md5('c')::uuid, $2, $4, now() - $5::interval, jsonb_build_object('confidence', $3::float8)
           FROM workspaces w`,
        [contact, rule, confidence, handoff, at],
      );
    await answer('a', 'model', 0.9, null, '3 hours');
    await answer('b', 'model', 0.95, null, '3 hours');
    await answer('b', 'handoff', null, 'keyword', '2 hours');
    await answer('c', 'fallback', 0.3, 'fallback', '1 hour');
    await answer('d', 'model', 1, null, '1 hour');
    await query(
      `INSERT INTO ai_calls (id, workspace_id, purpose, state, input_tokens, output_tokens, cost, asked_at)
       SELECT gen_random_uuid(), w.id, p, 'done', 10, 5, c, now() FROM workspaces w, (VALUES ('answer', 40), ('answer', 2), ('agent', NULL)) AS v (p, c)`,
    );
    const { outcomes, costs } = await read();
    expect(outcomes).toEqual([
      { from: 0.3, solved: 0, handedOver: 0, unused: 1 },
      { from: 0.9, solved: 2, handedOver: 1, unused: 0 },
    ]);
    expect(costs).toEqual([
      { purpose: 'answer', calls: 2, tokens: 30, cost: 42 },
      { purpose: 'agent', calls: 1, tokens: 15, cost: null },
    ]);
  });
});
