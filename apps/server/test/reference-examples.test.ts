import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isThorough } from '@app/database/testing/thorough';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longTest } from '@app/database/testing/long-test';
import { exampleFlow } from '@app/contracts/automation/workflows-contract';
import { openHostFixture, type HostFixture } from './host-fixture.ts';

const run = promisify(execFile);

type Example = { operation: string; language: string; code: string };
type Outcome = { answer: unknown } | { code: string };

let host: HostFixture;
let examples: Example[];
let environment: Record<string, string>;
beforeAll(async () => {
  host = await openHostFixture();
  examples = await readExamples();
  environment = { ...(await findIds()), API_KEY: await makeKey() };
});
afterAll(() => host.close());

/** There is none of these in a sample workspace, or not in a state for it. */
const refused: Record<string, string> = Object.fromEntries(
  Object.entries({
    contact_import_not_found: [
      'contactImports.get',
      'contactImports.listErrors',
      'contactImports.listReasons',
      'contactImports.undo',
    ],
    integration_not_connected: [
      'integrations.sync',
      'integrationEvents.listDeliveries',
      'integrationEvents.listSamples',
      'integrationEvents.subscribe',
      'integrationEvents.unsubscribe',
    ],
    upload_not_found: ['media.getUpload', 'media.cancelUpload'],
    media_not_found: ['media.get'],
    workflow_run_not_found: [
      'workflowRuns.get',
      'workflowRuns.cancel',
      'workflowRuns.skipWait',
      'workflowRuns.retry',
    ],
    webhook_delivery_not_found: ['webhookDeliveries.get', 'webhookDeliveries.resend'],
    // The campaign of the sample is completed, with nobody whose message failed.
    campaign_act_refused: [
      'campaigns.start',
      'campaigns.takeBack',
      'campaigns.pause',
      'campaigns.resume',
      'campaigns.cancel',
    ],
    campaign_without_test: ['campaigns.getTest', 'campaigns.chooseVariant'],
    campaign_audience_empty: ['campaigns.retryFailed'],
    message_not_found: [
      'workflowRuns.findOrigin',
      'conversations.sendScheduled',
      'conversations.withdraw',
      'conversations.tryAgain',
    ],
  }).flatMap(([code, operations]) => operations.map((operation) => [operation, code])),
);

test('the reference has an example for each of the first things that programs do', () => {
  const operations = new Set(examples.map(({ operation }) => operation));
  for (const wanted of [
    'contacts.list',
    'contacts.create',
    'contacts.update',
    'campaigns.create',
    'bulkMessage.send',
  ])
    expect(operations).toContain(wanted);
  expect(operations.size).toBeGreaterThan(30);
});

/** Each in one of its languages, by turns, for one leads to the next. `npm run faults -- examples` tries both. */
function chooseTried(): Example[] {
  if (isThorough) return examples;
  const operations = [...new Set(examples.map(({ operation }) => operation))];
  return examples.filter(
    ({ operation, language }) => (language === 'shell') === (operations.indexOf(operation) % 2 === 0),
  );
}

longTest('every example does in a shell and in JavaScript what it says', async () => {
  const outcomes: Record<string, string> = {};
  const tried = chooseTried();
  for (const { operation, language, code } of tried) {
    const outcome = await (language === 'shell' ? inShell(code) : inNode(code));
    outcomes[`${operation} ${language}`] = 'code' in outcome ? outcome.code : 'done';
  }
  expect(outcomes).toEqual(
    Object.fromEntries(
      tried.map(({ operation, language }) => [`${operation} ${language}`, refused[operation] ?? 'done']),
    ),
  );
});

async function inShell(code: string): Promise<Outcome> {
  const { stdout } = await run('sh', ['-c', code.replace(/^curl /, 'curl -sS ')], {
    env: { ...environment, PATH: process.env.PATH ?? '' },
  });
  const answer = JSON.parse(stdout);
  return answer.error?.code ? { code: answer.error.code } : { answer };
}

/** What the module would do: its body, with the environment and the output that a process has. */
async function inNode(code: string): Promise<Outcome> {
  const printed: unknown[] = [];
  const body = `return (async () => {\n${code}\n})()`;
  try {
    // oxlint-disable-next-line no-implied-eval -- it is the example that is tried
    await new Function('process', 'console', body)(
      { env: environment },
      { log: (text: unknown) => printed.push(text) },
    );
    return { answer: printed[0] };
  } catch (error) {
    return { code: /^(\w+):/.exec((error as Error).message)?.[1] ?? String(error) };
  }
}

/** What takes away comes last, and in this order. */
const LAST = ['remove', 'restore', 'erase'];

/** As they stand in the page, for this server. Those that only read come first. */
async function readExamples(): Promise<Example[]> {
  const page = await (await fetch(`${host.url}/api/docs`)).text();
  const found = [...page.matchAll(/<article id="([^"]+)">(.*?)<\/article>/gs)].flatMap(
    ([, operation = '', article = '']) =>
      [...article.matchAll(/<code class="sample" data-language="(\w+)">(.*?)<\/code>/gs)].map(
        ([, language = '', code = '']) => ({
          ...{ operation, language },
          code: readText(code).replaceAll('http://127.0.0.1:3000', host.url),
        }),
      ),
  );
  const place = ({ operation, code }: Example) =>
    LAST.indexOf(operation.split('.')[1] ?? '') + (/POST|PUT|PATCH|DELETE/.test(code) ? 2 : 0);
  return found.toSorted((a, b) => place(a) - place(b));
}

function readText(html: string): string {
  const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name]!);
}

/** What stands for an id in the examples: of the sample workspace, or of something that is made for it. */
async function findIds(): Promise<Record<string, string>> {
  const first = async (path: string) =>
    (await host.call<{ items: { id: string }[] }>('GET', path)).body.items[0]?.id ?? crypto.randomUUID();
  const make = async (path: string, body: object) =>
    (await host.call<{ id: string }>('POST', path, body)).body.id;
  const contactId = await first('/api/contacts?sort=oldest');
  const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'example' }] };
  return {
    CONTACT_ID: contactId,
    TEMPLATE_ID: await first('/api/templates'),
    CAMPAIGN_ID: await first('/api/campaigns'),
    SEGMENT_ID: await make('/api/segments', { name: 'Of the examples', rules }),
    FIELD_ID: await make('/api/custom-fields', { label: 'Of the examples', type: 'text' }),
    CONVERSATION_ID: await make('/api/conversations', { contactId }),
    ENDPOINT_ID: await make('/api/webhook-endpoints', { url: 'https://shop.example/webhooks' }),
    DELIVERY_ID: crypto.randomUUID(),
    WORKFLOW_ID: await publishWorkflow(),
    RUN_ID: crypto.randomUUID(),
    BOT_FLOW_ID: await make('/api/bot-flows', {
      ...{ name: 'Of the examples', trigger: { type: 'keyword', value: 'example' } },
      responses: [{ type: 'text', content: 'Here it is.' }],
    }),
    KNOWLEDGE_ID: await make('/api/bot/knowledge', {
      ...{ question: 'When are you open?', answer: 'From Monday to Friday.' },
    }),
    RCS_MESSAGE_ID: await make('/api/rcs/messages', {
      ...{ name: 'Of the examples', type: 'text', content: { text: 'Hello {{name}}' } },
    }),
    KIND: 'hubspot',
    EVENT_TYPE: 'contact.created',
    TRIGGER_ID: 'tagged',
    NUMBER: '1',
    MESSAGE_ID: crypto.randomUUID(),
    MEDIA_ID: crypto.randomUUID(),
    IMPORT_ID: crypto.randomUUID(),
    UPLOAD_ID: crypto.randomUUID(),
  };
}

/** A workflow with a published version, as its examples need it. */
async function publishWorkflow(): Promise<string> {
  const { body: made } = await host.call<{ id: string; version: number }>(
    'POST',
    '/api/workflows',
    exampleFlow,
  );
  await host.call('POST', `/api/workflows/${made.id}/publish`, { version: made.version });
  return made.id;
}

async function makeKey(): Promise<string> {
  const { body } = await host.call<{ secret: string }>('POST', '/api/api-keys', {
    keyId: crypto.randomUUID(),
    name: 'Examples',
    scopes: [
      'contacts:manage',
      'campaigns:manage',
      'templates:manage',
      'messages:manage',
      'users:read',
      'settings:manage',
      'analytics:read',
    ],
    expiresAt: null,
  });
  return body.secret;
}
