import { describe, expect, test } from 'vitest';
import { freeTextEnd } from './channel-capabilities.ts';
import { readCredentials, type CredentialField } from './channel-credentials.ts';
import { contentsOf, indexChannelKinds, type ChannelKind } from './channel-kind.ts';

describe('the kinds of an installation', () => {
  const named = (name: string, ...contents: { kind: string; name: string }[]) =>
    ({ name, capabilities: { contents } }) as unknown as ChannelKind; // nothing else is looked at here

  test('are found by their names', () => {
    const kinds = indexChannelKinds([named('one'), named('two-x')]);
    expect(kinds.names).toEqual(['one', 'two-x']);
    expect(kinds.find('two-x')?.name).toBe('two-x');
    expect(kinds.find('toString')).toBeUndefined();
    expect(kinds.of({ kind: 'one' }).name).toBe('one');
    expect(() => kinds.of({ kind: 'three' })).toThrow('no kind of channel called "three"');
  });

  test('have each a name of its own, which can stand in an address', () => {
    expect(() => indexChannelKinds([named('one'), named('one')])).toThrow('called "one"');
    for (const name of ['', 'One', 'a/b', '1a', 'a'.repeat(33)])
      expect(() => indexChannelKinds([named(name)]), name).toThrow('cannot name');
  });

  test('add forms of messages that name their kind and have each a name of its own', () => {
    const cards = { kind: 'one', name: 'cards' };
    expect(contentsOf(indexChannelKinds([named('one', cards), named('two')]))).toEqual([cards]);
    expect(() => indexChannelKinds([named('two', cards)])).toThrow('content type of the kind "one"');
    expect(() => indexChannelKinds([named('one', cards, cards)])).toThrow('two content types called "cards"');
  });
});

describe('credentials', () => {
  const field = (name: string, format: CredentialField['format']): CredentialField => ({
    ...{ name, format },
    label: `words.${name}`,
    isSecret: false,
  });
  const form = { fields: [field('id', 'digits'), field('token', 'text'), field('server', 'url')] };

  test('are taken without the spaces around them, and nothing beside them', () => {
    const written = { id: ' 12 ', token: 'a b', server: 'https://example.com/v1', other: 'x' };
    expect(readCredentials(form, written)).toEqual({
      credentials: { id: '12', token: 'a b', server: 'https://example.com/v1' },
      problems: [],
    });
  });

  test.each([
    [{ id: '1x', token: 'a', server: 'http://x' }, [{ field: 'id', problem: 'not_digits' }]],
    [{ id: '1', token: ' ', server: 'http://x' }, [{ field: 'token', problem: 'missing' }]],
    [{ id: '1', token: 7, server: 'http://x' }, [{ field: 'token', problem: 'missing' }]],
    [{ id: '1', token: 'a', server: 'ftp://x' }, [{ field: 'server', problem: 'not_url' }]],
    [{ id: '1', token: 'a'.repeat(10_001), server: 'http://x' }, [{ field: 'token', problem: 'too_long' }]],
    [
      {},
      [
        { field: 'id', problem: 'missing' },
        { field: 'token', problem: 'missing' },
        { field: 'server', problem: 'missing' },
      ],
    ],
  ])('say what is wrong with %o', (written, problems) => {
    expect(readCredentials(form, written).problems).toEqual(problems);
  });
});

test('free text ends by the clock of the person who wrote, or never', () => {
  expect(freeTextEnd({ freeTextHours: 24 }, 1_000)).toBe(86_401_000);
  expect(freeTextEnd({ freeTextHours: null }, 1_000)).toBeNull();
});
