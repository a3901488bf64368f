import { parseArgs } from 'node:util';
import { createRandom, type FaultOptions, type FaultReport } from './fault-report.ts';
import { backupPlaces } from './scenarios/backup-places.ts';
import { answerBesideFlows } from './scenarios/bot-beside-flows.ts';
import { keepBudget } from './scenarios/budget.ts';
import { fallBackInChain } from './scenarios/fallback-chain.ts';
import { ignoreHistory } from './scenarios/flows-and-history.ts';
import { runBesideAgents } from './scenarios/flows-beside-agents.ts';
import { runBesideImport } from './scenarios/flows-beside-import.ts';
import { guardCampaign } from './scenarios/guard.ts';
import { crashAtEachStep, killSender } from './scenarios/kill-sender.ts';
import { cutDatabase } from './scenarios/database-faults.ts';
import { killBots } from './scenarios/kill-bots.ts';
import { killFlows } from './scenarios/kill-flows.ts';
import { killProduct } from './scenarios/kill-product.ts';
import { killReplies } from './scenarios/kill-replies.ts';
import { killWebhookSender } from './scenarios/kill-webhook-sender.ts';
import { killWebhooks } from './scenarios/kill-webhooks.ts';
import { replyFaults } from './scenarios/reply-faults.ts';
import { sendToNobodyTwice } from './scenarios/nobody-twice.ts';
import { platformFaults } from './scenarios/platform-faults.ts';
import { hostileInput, playLongTests, playOnSecondServer, simulateEngine } from './scenarios/seeded-tests.ts';
import { thoroughTests } from './scenarios/thorough-tests.ts';
import { playWholeJourneys } from './scenarios/whole-journeys.ts';
import { isSmall } from '../tools/small-run.ts';

// npm run faults [-- NAME …] [--kills=100] [--seeds=5] [--messages=1000] [--seed=1] [--small]

const scenarios: Record<string, (options: FaultOptions) => Promise<FaultReport>> = {
  'kill-sender': killSender,
  'crash-steps': crashAtEachStep,
  'kill-replies': killReplies,
  budget: keepBudget,
  guard: guardCampaign,
  'nobody-twice': sendToNobodyTwice,
  'fallback-chain': fallBackInChain,
  'backup-places': backupPlaces,
  'reply-faults': replyFaults,
  'kill-webhooks': killWebhooks,
  'kill-webhook-sender': killWebhookSender,
  'kill-product': killProduct,
  'kill-bots': killBots,
  'kill-flows': killFlows,
  'flows-beside-import': runBesideImport,
  'bot-beside-flows': answerBesideFlows,
  'flows-beside-agents': runBesideAgents,
  'flows-and-history': ignoreHistory,
  'platform-faults': platformFaults,
  'database-cuts': cutDatabase,
  simulation: simulateEngine,
  'hostile-input': hostileInput,
  'second-server': playOnSecondServer,
  'long-tests': playLongTests,
  ...thoroughTests,
  journeys: playWholeJourneys,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string' },
    seeds: { type: 'string' },
    messages: { type: 'string' },
    seed: { type: 'string' },
    small: { type: 'boolean' },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(scenarios, name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(scenarios).join(', ')}.`);
  process.exit(2);
}
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const SMALL = { kills: 2, seeds: 1, messages: 40 };
/** Tests of `npm test`, which plays a part of them by itself. */
const TESTS = [
  'simulation',
  'hostile-input',
  'second-server',
  'long-tests',
  ...Object.keys(thoroughTests),
  'journeys',
];
/** How long something takes says nothing in a small run; nothing may be lost or doubled in any. */
const TIMED = ['bot-beside-flows', 'flows-beside-agents', 'flows-beside-import'];
const numbers = Object.fromEntries(
  (['kills', 'seeds', 'messages'] as const).flatMap((name) =>
    values[name] === undefined ? (isSmall ? [[name, SMALL[name]]] : []) : [[name, Number(values[name])]],
  ),
);
let failed = 0;
const all = Object.keys(scenarios).filter((name) => !isSmall || !TESTS.includes(name));
for (const name of positionals.length > 0 ? positionals : all) {
  const startedAt = performance.now();
  console.log(`\n${name} (seed ${seed})`);
  try {
    const report = await scenarios[name]?.({ random: createRandom(seed), ...numbers });
    for (const [figure, value] of Object.entries(report?.figures ?? {})) console.log(`  ${figure}: ${value}`);
    const isPassed = report?.isPassed === true || (isSmall && TIMED.includes(name));
    if (!isPassed) failed += 1;
    console.log(
      `  ${isPassed ? 'passed' : 'FAILED'} in ${Math.round((performance.now() - startedAt) / 1_000)} s`,
    );
  } catch (error) {
    failed += 1;
    console.log(`  FAILED: ${error instanceof Error ? error.message : String(error)}`);
  }
}
console.log(failed === 0 ? '\nAll fault tests passed.' : `\n${failed} fault test(s) failed.`);
process.exit(failed === 0 ? 0 : 1);
