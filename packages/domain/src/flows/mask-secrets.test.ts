import { expect, test } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

test('what its name calls a secret is masked at any depth, and the rest stays', () => {
  const body = {
    ...{ api_key: 'k', order: { id: 7, items: [{ sku: 'a', accessToken: { value: 't' } }] } },
    ...{ password: null, note: 'token' },
  };
  expect(maskSecrets(body)).toEqual({
    ...{ api_key: '••••', order: { id: 7, items: [{ sku: 'a', accessToken: '••••' }] } },
    ...{ password: null, note: 'token' },
  });
});
