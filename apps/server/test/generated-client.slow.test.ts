import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openHostFixture, type HostFixture } from './host-fixture.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

let host: HostFixture;
/** Inside the repository, where the packages are found that the program imports. */
let folder: string;
beforeAll(async () => {
  host = await openHostFixture();
  await mkdir(join(root, '.cache'), { recursive: true });
  folder = await mkdtemp(join(root, '.cache/generated-client-'));
});
afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

/** What somebody writes who has nothing of ours but the description. */
const program = `
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

declare const process: { env: Record<string, string> };
const { API_URL, API_KEY } = process.env;
const api = createClient<paths>({ baseUrl: API_URL!, headers: { authorization: \`Bearer \${API_KEY}\` } });
const header = { 'Idempotency-Key': crypto.randomUUID() };
const body = { name: 'Ana Silva', phone: '+351912345678', tags: ['generated'] };

const made = await api.POST('/contacts', { params: { header }, body });
const again = await api.POST('/contacts', { params: { header }, body });
if (!made.data || !again.data) throw new Error('Nobody was made.');

const listed = await api.GET('/contacts', { params: { query: { tag: 'generated', limit: 5 } } });
const names: string[] = listed.data?.items.map((contact) => contact.name) ?? [];

const path = { contactId: made.data.id };
const update = { version: made.data.version, name: 'Ana Sousa' };
const changed = await api.PATCH('/contacts/{contactId}', { params: { path }, body: update });
const late = await api.PATCH('/contacts/{contactId}', { params: { path }, body: update });

console.log(JSON.stringify({
  isOne: made.data.id === again.data.id,
  names,
  renamed: changed.data?.name,
  refused: [late.response.status, late.error?.error.code],
}));
`;

/** What the compiler has to refuse. */
const mistakes = {
  'an address that there is not': `await api.GET('/contacs', {});`,
  'a field of the wrong type': `await api.POST('/contacts', { params: { header }, body: { name: 1, phone: '+351912345678' } });`,
  'a field that is missing': `await api.POST('/contacts', { params: { header }, body: { name: 'Ana' } });`,
  'an act without its key': `await api.POST('/contacts', { body });`,
  'a value that the answer does not have': `console.log(made.data.surname);`,
};

test('a client generated from the description compiles, catches mistakes and works', async () => {
  const description = await (await fetch(`${host.url}/api/openapi.json`)).text();
  await writeFile(join(folder, 'api.ts'), astToString(await openapiTS(description)));
  await writeFile(join(folder, 'program.ts'), program);
  expect(await compile('program.ts')).toEqual([]);

  for (const [name, mistake] of Object.entries(mistakes))
    await writeFile(join(folder, `${fileOf(name)}.ts`), `${program}\n${mistake}\n`);
  const found = await compile(...Object.keys(mistakes).map((name) => `${fileOf(name)}.ts`));
  for (const name of Object.keys(mistakes))
    expect(
      found.filter((line) => line.includes(fileOf(name))),
      name,
    ).not.toEqual([]);

  const { stdout } = await run(process.execPath, [join(folder, 'program.ts')], {
    env: { ...process.env, NODE_NO_WARNINGS: '1', API_URL: `${host.url}/api`, API_KEY: await makeKey() },
  });
  expect(JSON.parse(stdout)).toEqual({
    ...{ isOne: true, names: ['Ana Silva'], renamed: 'Ana Sousa', refused: [409, 'contact_changed'] },
  });
});

const fileOf = (name: string) => name.replaceAll(' ', '-');

/** What the compiler says, one line for each mistake. */
async function compile(...files: string[]): Promise<string[]> {
  const config = {
    compilerOptions: {
      ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
      ...{ target: 'esnext', module: 'nodenext', lib: ['esnext', 'dom'], types: [] },
    },
    files,
  };
  const project = join(folder, 'tsconfig.json');
  await writeFile(project, JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const said = await run(process.execPath, [compiler, '-p', project, '--pretty', 'false']).then(
    () => '',
    (failure: { stdout: string }) => failure.stdout,
  );
  return said.split('\n').filter((line) => line.includes('error TS'));
}

async function makeKey(): Promise<string> {
  const wish = {
    keyId: crypto.randomUUID(),
    name: 'Generated',
    scopes: ['contacts:manage'],
    expiresAt: null,
  };
  return (await host.call<{ secret: string }>('POST', '/api/api-keys', wish)).body.secret;
}
