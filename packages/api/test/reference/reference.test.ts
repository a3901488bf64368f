import { contract } from '@app/contracts/contract';
import type { EndpointMeta } from '@app/contracts/endpoint';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture } from '../api-fixture.ts';
import { contractRoutes } from '../http-edge/contract-routes.ts';

type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  responses: Record<string, { headers?: object; content?: Record<string, { schema: object }> }>;
};
type Description = {
  servers: { url: string }[];
  security: object[];
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: object };
};

let api: ApiFixture;
let text: string;
let description: Description;
let page: string;
beforeAll(async () => {
  api = await openApiFixture();
  text = await (await api.stranger.get('/api/openapi.json')).text();
  description = JSON.parse(text);
  page = await (await api.stranger.get('/api/docs')).text();
});
afterAll(() => api.close());

const operations = () => Object.values(description.paths).flatMap((item) => Object.values(item));
const meta = (name: string): EndpointMeta => {
  const [feature = '', endpoint = ''] = name.split('.');
  const part = contract[feature as keyof typeof contract] as Record<string, { '~orpc': { meta: object } }>;
  return part[endpoint]!['~orpc'].meta as EndpointMeta; // of a route of the contract
};

test('the description has exactly what the contract opens to keys, and the files beside it', () => {
  const opened = contractRoutes.filter(({ name }) => meta(name).forKeys).map(({ name }) => name);
  const beside = [
    ...['campaigns.downloadResults', 'contactImports.start', 'contactImports.downloadFailedRows'],
    ...['media.sendPart', 'media.download', 'events.listen'],
    ...['messageFiles.upload', 'messageFiles.download', 'botKnowledge.upload'],
  ];
  expect(
    operations()
      .map(({ operationId }) => operationId)
      .toSorted(),
  ).toEqual([...opened, ...beside].toSorted());
});

test('no endpoint for keys asks for a proof, for nobody at all, or for people', () => {
  const opened = contractRoutes.filter(({ name }) => meta(name).forKeys);
  for (const { name } of opened) {
    const { needsReauthentication, access } = meta(name);
    expect([name, needsReauthentication, access === 'public']).toEqual([name, false, false]);
  }
  const names = opened.map(({ name }) => name).join(' ');
  expect(names).not.toMatch(
    /\b(apiKeys|auth|profile|passkeys|twoFactor|sessions|invitations|rolePermissions)\./,
  );
});

test('every operation says what it needs, where it belongs, its pace and its refusals', () => {
  const tags = description.tags.map(({ name }) => name);
  expect(description.security).toEqual([{ apiKey: [] }]);
  for (const { operationId, tags: own, summary, description: needs, responses } of operations()) {
    expect([
      operationId,
      own.every((tag) => tags.includes(tag)),
      summary !== '',
      /^(Needs|Any)/.test(needs),
    ]).toEqual([operationId, true, true, true]);
    for (const status of ['200', '400', '401', '403', '429'])
      expect([operationId, status, responses[status]?.headers]).toEqual([
        ...[operationId, status],
        expect.objectContaining({ RateLimit: expect.anything(), 'RateLimit-Policy': expect.anything() }),
      ]);
    expect(JSON.stringify(responses['401'])).toContain('api_key_expired');
    expect(Object.keys(responses['429']!.headers!)).toContain('Retry-After');
  }
});

test('an import says that it goes on behind its answer, and how to wait for its end', () => {
  const found = operations().find(({ operationId }) => operationId === 'contactImports.start');
  expect(found?.responses['202']).toMatchObject({
    description: expect.stringContaining('/contacts/imports/{importId}'),
  });
  const headers = found?.parameters?.filter((parameter) => parameter.in === 'header') ?? [];
  expect(headers.map(({ name, required }) => [name, required])).toEqual([
    ['Idempotency-Key', true],
    ['Prefer', false],
  ]);
  expect(page).toContain('the import goes on: ask for it at /contacts/imports/{importId}');
});

test('no reference leads nowhere', () => {
  const schemas = Object.keys(description.components.schemas);
  const references = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(new Set(references)).toEqual(new Set(schemas));
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.includes(id))).toEqual([]);
});

test('the page runs no script, asks no other host, and stands under a strict policy', async () => {
  const answer = await api.stranger.get('/api/docs');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
  expect(page).not.toMatch(/<script|<style| style=| on\w+=|<img|<iframe/i);
  const addresses = [...page.matchAll(/ (?:href|src)="([^"#]+)"/g)].map(([, address]) => address);
  expect(new Set(addresses)).toEqual(new Set(['/api/docs/style.css', '/api/openapi.json']));
  const style = await api.stranger.get('/api/docs/style.css');
  expect([style.headers.get('content-type'), (await style.text()).includes('url(')]).toEqual([
    'text/css; charset=utf-8',
    false,
  ]);
});

test('every operation stands in the page', () => {
  for (const { operationId } of operations()) expect(page).toContain(`<article id="${operationId}">`);
});
