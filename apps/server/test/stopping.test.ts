import { expect, test } from 'vitest';
import { openHostFixture } from './host-fixture.ts';

test('a stop while a browser listens ends without a warning', async () => {
  const host = await openHostFixture();
  const { cookie, warnings } = host;
  const stream = await fetch(`${host.url}/api/events`, { headers: { cookie } });
  const reader = stream.body!.getReader(); // a stream has a body
  expect(new TextDecoder().decode((await reader.read()).value)).toContain('retry:');
  await host.close();
  // Whatever the end of the stream left to do has failed by now, or never will.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(warnings).toEqual([]);
});
