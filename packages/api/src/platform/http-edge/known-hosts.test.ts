import { expect, test } from 'vitest';
import { createHostCheck } from './known-hosts.ts';

const ask = (isForUs: (request: Request) => boolean, url: string, host: string | null) =>
  isForUs(new Request(url, { headers: host === null ? {} : { host } }));

test('who was let in before lets nobody else in', () => {
  const isForUs = createHostCheck('https://shop.example', ['shop.internal']);
  for (let round = 0; round < 2; round += 1) {
    for (const [url, host] of [
      ['http://localhost:3000/api/session', 'localhost:3000'],
      ['http://shop.example/api/session', 'shop.example'],
      ['http://shop.internal/', null],
      ['http://evil.example/healthz', 'evil.example'],
    ] as const)
      expect([url, host, ask(isForUs, url, host)]).toEqual([url, host, true]);
    for (const [url, host] of [
      ['http://localhost:3000/api/session', 'evil.example'],
      ['http://localhost:3000@evil.example/api/session', 'localhost:3000'],
      ['http://evil.example/http://localhost:3000/', 'localhost:3000'],
      ['http://evil.example?//localhost:3000/', 'localhost:3000'],
      ['http://evil.example/api/session', 'evil.example'],
    ] as const)
      expect([url, host, isForUs({ url, headers: new Headers({ host }) } as Request)]).toEqual([
        url,
        host,
        false,
      ]); // as a listener hands it on
  }
});

test('remembers a limited number of spellings, and judges alike beyond it', () => {
  const isForUs = createHostCheck('https://shop.example', []);
  for (let port = 1; port < 1_000; port += 1)
    expect(ask(isForUs, `http://localhost:${port}/`, `localhost:${port}`)).toBe(true);
  expect(ask(isForUs, 'http://localhost:5/', 'evil.example')).toBe(false);
});
