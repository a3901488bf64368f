import { createFlowEngine } from '@app/flows/flow-engine';
import type { AiModels } from '@app/domain/chatbot/model/ai-models';
import { createAiModels } from '@app/providers/ai-models/ai-models';
import { createOutgoingCalls } from '@app/providers/calls/outgoing-calls';
import { createSandbox } from '@app/sandbox/sandbox';
import { expect } from 'vitest';
import { openFlowHost } from '../../src/automation/engine/flow-host.ts';
import { openArrivals } from '../arrivals.ts';

/** A bot with an engine for what it says, and with the sandbox's stand-in for models; `wrap` stands around the models. */
export async function openBotScene(wrap: (models: AiModels) => AiModels = (models) => models) {
  const sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const calls = createOutgoingCalls({ namedHosts: ['127.0.0.1'], pause: async () => {} });
  const arrivals = await openArrivals({ aiModels: wrap(createAiModels({ calls })) });
  const { admin, api, query } = arrivals;
  const engine = createFlowEngine(openFlowHost(api.parts));
  return {
    ...{ ...arrivals, sandbox, engine },
    /** How the stand-in is connected. */
    model: {
      ...{ provider: 'compatible', baseUrl: `${url}/openai/v1`, key: 'sandbox-openai-key' },
      model: 'sandbox-chat',
    },
    async close() {
      await calls.close();
      await sandbox.close();
    },
    async save(change: object) {
      const { version } = await (await admin.get('/api/bot/settings')).json<{ version: number }>();
      const saved = await admin.put('/api/bot/settings', { responseDelay: 0, ...change, version });
      if (saved.status !== 200) throw new Error(await saved.text());
    },
    /** Until models were asked, and nothing is left to be decided or said. */
    async settle() {
      await api.facts.catchUp();
      await expect.poll(() => query(`SELECT FROM ai_calls WHERE state IN ('asked', 'begun')`)).toEqual([]);
      for (let round = 0; round < 4; round += 1) {
        await api.facts.catchUp();
        await engine.drain();
      }
    },
    async textsOf() {
      const rows = await query<{ text: string }>(
        `SELECT text FROM messages WHERE direction = 'out' ORDER BY send_no`,
      );
      return rows.map(({ text }) => text);
    },
  };
}
