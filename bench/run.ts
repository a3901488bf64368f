import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { backup } from './figures/backup.ts';
import { botAnswers } from './figures/bot-answers.ts';
import { campaignAtSize } from './figures/campaign-at-size.ts';
import { campaignBesideSync } from './figures/campaign-beside-sync.ts';
import { connectorSync } from './figures/connector-sync.ts';
import { contactsAtSize } from './figures/contacts-at-size.ts';
import { crowd } from './figures/crowd.ts';
import { dataImport } from './figures/data-import.ts';
import { flowSteps } from './figures/flow-steps.ts';
import { inboxAtSize } from './figures/inbox-at-size.ts';
import { inboxScrolling } from './figures/inbox-scrolling.ts';
import { inboxSpeed } from './figures/inbox-speed.ts';
import { lighthouse } from './figures/lighthouse.ts';
import { rateFidelity } from './figures/rate-fidelity.ts';
import { rcsSender } from './figures/rcs-sender.ts';
import { reportsAtSize } from './figures/reports-at-size.ts';
import { senderEfficiency } from './figures/sender-efficiency.ts';
import { senderMemory } from './figures/sender-memory.ts';
import { startOfRun } from './figures/start-of-run.ts';
import { statusCost } from './figures/status-cost.ts';
import { uploads } from './figures/uploads.ts';
import { webSpeed } from './figures/web-speed.ts';
import { webWeight } from './figures/web-weight.ts';
import { webhooks } from './figures/webhooks.ts';
import { type Bench, toMarkdown } from './harness/bench-report.ts';
import { root } from './harness/processes.ts';
import { inSmall, isSmall } from '../tools/small-run.ts';

// npm run bench [-- NAME …] [--rounds=5] [--messages=20000] [--large=100000] [--full] [--home=FOLDER] [--small]

const benches: Record<string, Bench> = {
  rate: rateFidelity,
  sender: senderEfficiency,
  'rcs-sender': rcsSender,
  memory: senderMemory,
  start: startOfRun,
  campaign: campaignAtSize,
  statuses: statusCost,
  webhooks,
  flows: flowSteps,
  bot: botAnswers,
  uploads,
  crowd,
  backup,
  'data-import': dataImport,
  'connector-sync': connectorSync,
  'campaign-sync': campaignBesideSync,
  inbox: inboxSpeed,
  'inbox-size': inboxAtSize,
  'inbox-scroll': inboxScrolling,
  contacts: contactsAtSize,
  reports: reportsAtSize,
  weight: webWeight,
  feel: webSpeed,
  lighthouse,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...{ rounds: { type: 'string' }, messages: { type: 'string' }, large: { type: 'string' } },
    ...{ full: { type: 'boolean' }, home: { type: 'string' }, small: { type: 'boolean' } },
  },
});
const unknown = positionals.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Known: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const options = {
  rounds: Number(values.rounds ?? inSmall(1, 5)),
  messages: Number(values.messages ?? inSmall(100, 20_000)),
  large: Number(values.large ?? inSmall(200, 100_000)),
  size: values.full
    ? { conversations: 100_000, messages: 10_000_000, longest: 1_000_000 }
    : inSmall(
        { conversations: 20, messages: 200, longest: 100 },
        { conversations: 2_000, messages: 200_000, longest: 20_000 },
      ),
  home: values.home,
};
/** What it needs beside the product is no part of a small run: a package that only benchmarks install. */
const NEEDS_PEERS = ['lighthouse'];
const names =
  positionals.length > 0
    ? positionals
    : Object.keys(benches).filter((name) => !isSmall || !NEEDS_PEERS.includes(name));
if (isSmall) process.exit((await playSmall()) ? 0 : 1);
const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node.js ${process.versions.node}, ${process.platform} ${process.arch}`;
const readDependencies = (folder: string): Record<string, string> =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')).dependencies;
const versions = Object.entries({
  undici: readDependencies('packages/providers')['undici'],
  pg: readDependencies('packages/delivery')['pg'],
  ...readDependencies('bench/peers'),
}).map(([name, version]) => `${name} ${version}`);
const startedAt = new Date();
const parts = [
  `# Benchmarks of ${startedAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  '',
  `Command: \`npm run bench -- ${[...names, `--rounds=${options.rounds}`, `--messages=${options.messages}`, `--large=${options.large}`, ...(values.full ? ['--full'] : [])].join(' ')}\``,
  '',
  `Machine: ${machine}. Medians, with the range of the rounds in brackets; the machine may be shared with others.`,
  '',
  `Versions: ${versions.join(', ')}, the embedded PostgreSQL with its durable settings, Redis with its journal.`,
  '',
];
let missed = 0;
for (const name of names) {
  const bench = benches[name];
  if (!bench) continue;
  console.log(`\n${bench.title}`);
  const rows = await bench.run(options);
  missed += rows.filter(({ isMet }) => !isMet).length;
  const table = toMarkdown(bench.title, rows);
  parts.push(table);
  console.log(`\n${table}`);
}
const folder = join(root, 'bench/results');
mkdirSync(folder, { recursive: true });
const file = join(
  folder,
  `${startedAt.toISOString().slice(0, 16).replaceAll(':', '')}-${names.join('-')}.md`,
);
writeFileSync(file, parts.join('\n'));
console.log(`Written to ${file}. ${missed === 0 ? 'All goals are met.' : `${missed} goal(s) are missed.`}`);

/** Every benchmark to its end; goals are not judged. Answers with whether all came to it. */
async function playSmall(): Promise<boolean> {
  const broken: string[] = [];
  for (const name of names) {
    const began = performance.now();
    try {
      const rows = await benches[name]?.run(options);
      if (!rows?.length) throw new Error('There are no figures.');
    } catch (error) {
      broken.push(name);
      console.error(error);
    }
    const seconds = ((performance.now() - began) / 1_000).toFixed(1);
    console.log(`${broken.includes(name) ? '✗' : '✓'} ${name} (${seconds} s)`);
  }
  if (broken.length > 0) console.error(`Broken: ${broken.join(', ')}`);
  return broken.length === 0;
}
