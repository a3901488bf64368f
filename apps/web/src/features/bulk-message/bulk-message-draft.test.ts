import { expect, test, vi } from 'vitest';
import { emptyDraft, loadDraft, storeDraft } from './bulk-message-draft.ts';

test('a draft that an earlier version left without a key is still there', () => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  const { message } = emptyDraft();
  storeDraft('ann', { ...emptyDraft(), message: { ...message, customMessage: 'Hello' } }, 'message');
  const [[place, text] = ['', '']] = stored;
  const { key: _, ...keyless } = JSON.parse(text);
  stored.set(place, JSON.stringify(keyless));
  expect(loadDraft('ann')).toMatchObject({ draft: { message: { customMessage: 'Hello' } }, step: 'message' });
  vi.unstubAllGlobals();
});
