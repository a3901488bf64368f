import { describe, expect, test } from 'vitest';
import type { CredentialForm } from '@app/domain/channels/channel-credentials';
import { openFields, sealCredentials, shownCredentials } from './stored-credentials.ts';

/** Turned round, so that a test sees what was sealed. */
const turn = (text: string) => Promise.resolve([...text].toReversed().join(''));
const box = { seal: turn, open: turn };

const form: CredentialForm = {
  version: 2,
  fields: [
    { name: 'agent', label: 'one.agent', isSecret: false, format: 'text' },
    { name: 'server', label: 'one.server', isSecret: false, format: 'url' },
    { name: 'token', label: 'one.token', isSecret: true, format: 'text' },
  ],
  addressOf: ({ agent = '' }) => agent,
  serverOf: ({ server = '' }) => server,
};
const credentials = { agent: 'shop', server: 'https://example.com', token: 'abc' };
const stored = {
  version: 2,
  values: { agent: 'shop', server: 'https://example.com' },
  secrets: { token: 'cba' },
};

describe('credentials in a row', () => {
  test('are sealed where they are secret, and opened as they were', async () => {
    const sealed = await sealCredentials(form, { ...credentials, beside: 'x' }, box);
    expect(sealed).toEqual({ address: 'shop', credentials: stored });
    expect(await openFields(form, stored, box)).toEqual(credentials);
    expect(shownCredentials(form, stored)).toEqual(stored.values);
  });

  test('that lack something, or were written under another form, are refused without a value', async () => {
    await expect(sealCredentials(form, { agent: 'shop', server: 'x' }, box)).rejects.toThrow('no token');
    await expect(openFields(form, { ...stored, secrets: {} }, box)).rejects.toThrow('no token');
    await expect(openFields(form, { ...stored, values: {} }, box)).rejects.toThrow('no agent');
    await expect(openFields(form, { ...stored, version: 1 }, box)).rejects.toThrow('form 1');
  });
});
