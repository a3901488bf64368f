import type { MessageContent } from '@app/domain/messaging/message-content';
import type { Bench } from '../harness/bench-report.ts';
import { openBenchDatabase } from '../harness/bench-database.ts';
import { cpuOfTree, startBenchChild, startStandIn } from '../harness/processes.ts';
import { medianOf, playRounds, type Sample, showRange } from '../harness/rounds.ts';

/** What a campaign of each kind sends: a template, and a text of an agent. */
const contents: Record<'whatsapp' | 'rcs', MessageContent> = {
  whatsapp: {
    type: 'template',
    name: 'offer',
    language: 'en',
    body: { format: 'named', values: { name: '{{name}}' } },
  },
  rcs: {
    type: 'kind_content',
    kind: 'rcs',
    contentType: 'text',
    value: { text: 'Hello {{name}}, our offer is here.', suggestions: [] },
  },
};
const kinds = ['whatsapp', 'rcs'] as const;

type Result = { messages: number; ms: number; cpuUs: number };

/** The same engine through an agent of RCS and through a number of WhatsApp, each with its real client. */
export const rcsSender: Bench = {
  title: 'RCS beside WhatsApp',
  async run({ rounds, messages }) {
    const [database, standIn] = [await openBenchDatabase(), await startStandIn()];
    try {
      await database.addContacts(messages);
      const race = async (kind: (typeof kinds)[number]): Promise<Sample> => {
        await database.startRun(contents[kind]);
        const args = [standIn.url, database.url, String(messages)];
        const child = startBenchChild('bench/contestants/engine.ts', args, { KIND: kind });
        await child.message('ready');
        const before = cpuOfTree(database.serverPid);
        child.process.send('go');
        const result = await child.message<Result>('result');
        const serverUs = cpuOfTree(database.serverPid) - before;
        await child.stop();
        return {
          'messages/s': (result.messages / result.ms) * 1_000,
          'CPU µs': (result.cpuUs + serverUs) / result.messages,
        };
      };
      const samples = await playRounds(
        kinds.map((kind) => ({ name: kind, run: () => race(kind) })),
        rounds,
      );
      const describe = (kind: string) =>
        `${showRange(samples.get(kind), 'messages/s')} messages/s, ${showRange(samples.get(kind), 'CPU µs')} µs of CPU each`;
      const ratio =
        medianOf(samples.get('rcs'), 'messages/s') / medianOf(samples.get('whatsapp'), 'messages/s');
      return [
        {
          figure: 'RCS against WhatsApp',
          ...{ measured: describe('rcs'), peer: describe('whatsapp'), ratio },
          ...{ goal: '≥ 0.95 ×', isMet: ratio >= 0.95 },
        },
      ];
    } finally {
      await Promise.all([standIn.stop(), database.close()]);
    }
  },
};
