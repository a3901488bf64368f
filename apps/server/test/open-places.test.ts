import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPlaces, PlacesUnreadable } from '../src/open-places.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'places-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Value = string | number | { [key: string]: Value };

/** As the format of MaxMind writes values: a type and a size, then the bytes. */
function encode(value: Value): Buffer {
  if (typeof value === 'number')
    return Buffer.from([0xc4, ...new Uint8Array(new Uint32Array([value]).buffer).toReversed()]);
  if (typeof value === 'string')
    return Buffer.concat([Buffer.from([0x40 + value.length]), Buffer.from(value)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    Buffer.from([0xe0 + entries.length]),
    ...entries.flatMap(([key, inner]) => [encode(key), encode(inner)]),
  ]);
}

/** A file with one place for all addresses of the lower half; it knows nothing of the upper half. */
async function writePlaces(place: Value): Promise<string> {
  const nodes = 1;
  const found = nodes + 16;
  const tree = Buffer.from([0, 0, found, 0, 0, nodes]);
  const metadata = {
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, build_epoch: 1 },
    ...{ database_type: 'Test', ip_version: 4, node_count: nodes, record_size: 24 },
  };
  const file = join(folder, `${crypto.randomUUID()}.mmdb`);
  const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  await writeFile(file, Buffer.concat([tree, Buffer.alloc(16), encode(place), mark, encode(metadata)]));
  return file;
}

test.each<[string, Value, object | null]>([
  [
    'a city',
    { city: { names: { en: 'Lyon' } }, country: { iso_code: 'FR' } },
    { city: 'Lyon', country: 'FR' },
  ],
  ['a country', { country: { iso_code: 'BR' } }, { city: null, country: 'BR' }],
  ['a country at the top', { country_code: 'KE' }, { city: null, country: 'KE' }],
  ['something else', { asn: 5 }, null],
])('%s of a file is read', async (_, place, expected) => {
  const find = openPlaces(await writePlaces(place));
  expect(find('9.9.9.9')).toEqual(expected);
  for (const unknown of ['192.0.2.1', '2001:db8::1', 'no address', '']) expect(find(unknown)).toBeNull();
});

test('without a file nobody is anywhere', () => {
  expect(openPlaces(undefined)('9.9.9.9')).toBeNull();
});

test('a file that is none stops the start', async () => {
  const file = join(folder, 'broken.mmdb');
  await writeFile(file, 'no places at all');
  expect(() => openPlaces(file)).toThrow(PlacesUnreadable);
  expect(() => openPlaces(join(folder, 'missing.mmdb'))).toThrow(PlacesUnreadable);
});
