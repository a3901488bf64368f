import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  emptyDraft,
  loadDraft,
  onSentElsewhere,
  storeDraft,
  storeSent,
} from '../../src/features/bulk-message/bulk-message-draft.ts';
import { newCampaignValues } from '../../src/features/campaigns/campaign-form-values.ts';
import { openUnanswered } from '../../src/features/campaigns/unanswered-campaign.ts';
import { useDraft } from '../../src/features/composer/draft/use-draft.ts';
import { orpc } from '../../src/shared/api.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { noteSignOut } from '../../src/shared/offline/interrupted-writing.ts';
import { readOfflineCopy, saveOfflineCopy } from '../../src/shared/offline/offline-copy.ts';
import { ownerHere } from '../../src/shared/session.ts';
import { clearSession, saveSession } from '../../src/shared/sign-in/saved-session.ts';
import type { SessionData } from '../../src/shared/sign-in/sign-in-calls.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { eventually, find, show, type } from '../screen.tsx';

const sessionKey = orpc.auth.getSession.queryKey({ input: {} });

/** As the server tells it to a tab of this workspace. */
function enter(userId: string, workspaceId: string): SessionData {
  const session = {
    user: { id: userId, language: null, theme: null },
    workspace: { id: workspaceId },
    ...{ role: 'admin', permissions: [], expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
  } as unknown as SessionData; // what is kept here is kept by these names alone
  queryClient.setQueryData(sessionKey, session);
  return session;
}

const keys = () => Object.keys(localStorage).sort();

beforeEach(() => localStorage.clear());
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

test('a place is of one person in one workspace, and of nobody for strangers', () => {
  expect(ownerHere()).toBe('');
  const owners = [
    ['ann', 'acme'],
    ['ann', 'other'],
    ['bob', 'acme'],
  ].map(([userId = '', workspaceId = '']) => {
    enter(userId, workspaceId);
    return ownerHere();
  });
  expect(new Set(owners).size).toBe(3);
});

describe('in another workspace', () => {
  test('a bulk message that was begun is not there, and is when one comes back', () => {
    const draft = { ...emptyDraft(), message: { ...emptyDraft().message, customMessage: 'For Acme' } };
    enter('ann', 'acme');
    const acme = ownerHere();
    storeDraft(acme, draft, 'message');
    enter('ann', 'other');
    const other = ownerHere();
    expect(loadDraft(other).draft.message.customMessage).toBe('');
    storeDraft(other, emptyDraft(), 'contacts');
    expect(loadDraft(acme)).toMatchObject({ draft: { key: draft.key }, step: 'message' });
  });

  test('that a bulk message was sent ends no draft and tells no tab', () => {
    const draft = { ...emptyDraft(), message: { ...emptyDraft().message, customMessage: 'Hello' } };
    const heard: string[] = [];
    const stops = ['acme:ann', 'other:ann'].map((owner) => onSentElsewhere(owner, () => heard.push(owner)));
    storeDraft('acme:ann', draft, 'review');
    storeDraft('other:ann', draft, 'review');
    const before = new Set(keys());
    storeSent('acme:ann', {
      key: draft.key,
      sent: {
        campaignId: 'sent',
        recipients: 1,
        scheduledAt: null,
        heldUntil: null,
        heldForMs: null,
        quietUntil: null,
      },
    });
    const [place = ''] = keys().filter((key) => !before.has(key));
    dispatchEvent(new StorageEvent('storage', { key: place, newValue: localStorage.getItem(place) }));
    stops.forEach((stop) => stop());
    expect(heard).toEqual(['acme:ann']);
    expect(loadDraft('acme:ann').draft.message.customMessage).toBe('');
    expect(loadDraft('other:ann').draft.message.customMessage).toBe('Hello');
  });

  test('a campaign without an answer is not made again', () => {
    const values = { ...newCampaignValues(), name: 'For Acme' };
    const left = openUnanswered('acme:ann', 'new');
    left.keep(values);
    const other = openUnanswered('other:ann', 'new');
    expect(other.found).toBeUndefined();
    expect(other.key).not.toBe(left.key);
    other.keep(newCampaignValues());
    other.forget();
    expect(openUnanswered('acme:ann', 'new')).toMatchObject({
      key: left.key,
      found: { values: { name: 'For Acme' } },
    });
  });

  test('what was begun in a chat is not there', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no connection')));
    function Box({ name }: { name: string }) {
      const { text, change } = useDraft('one', 'reply');
      return (
        <input aria-label={name} value={text} onChange={({ target }) => change({ text: target.value })} />
      );
    }
    const draw = show(null);
    const visit = async (name: string, workspaceId: string) => {
      enter('ann', workspaceId);
      draw(
        <QueryClientProvider client={queryClient}>
          <Box key={name} name={name} />
        </QueryClientProvider>,
      );
      return (await find('textbox', name)) as HTMLInputElement; // what `Box` draws
    };
    const box = await visit('first', 'acme');
    type(box, 'For Acme');
    await eventually(() => expect(box.value).toBe('For Acme'));
    expect((await visit('second', 'other')).value).toBe('');
    expect((await visit('third', 'acme')).value).toBe('For Acme');
  });
});

describe('what was seen', () => {
  test('stays for the same person in another workspace, and goes before another person comes', () => {
    saveSession(enter('ann', 'acme'));
    saveOfflineCopy('activities', ['of acme'], ownerHere());
    saveSession(enter('ann', 'other'));
    expect(readOfflineCopy('activities', ownerHere())).toBeUndefined();
    saveOfflineCopy('activities', ['of the other'], ownerHere());
    enter('ann', 'acme');
    expect(readOfflineCopy('activities', ownerHere())).toEqual(['of acme']);
    saveSession(enter('bob', 'acme'));
    expect(keys()).toEqual(['offline.session.acme:bob', 'offline.workspace']);
  });

  test('goes with the session, of every workspace', () => {
    saveSession(enter('ann', 'acme'));
    for (const workspace of ['acme', 'other'])
      for (const record of ['data', 'activities'] as const) {
        enter('ann', workspace);
        saveOfflineCopy(record, [], ownerHere());
      }
    expect(keys()).toHaveLength(6);
    clearSession();
    expect(keys()).toEqual([]);
  });
});

describe('what is written when a session ends', () => {
  const form = (owner: string) => `offline.form:${owner}:campaign:new`;

  beforeEach(() => {
    sessionStorage.clear();
    saveSession(enter('ann', 'acme'));
    localStorage.setItem(form('acme:ann'), 'Spring');
  });

  /** The tab loses its session, and somebody signs in to it. */
  function comeBack(userId: string) {
    clearSession('ann');
    expect(keys().filter((key) => key.startsWith('offline.'))).toEqual([]);
    saveSession(enter(userId, 'acme'));
  }

  test('waits in the tab for the same person, in each workspace', () => {
    localStorage.setItem('offline.draft.other:ann.chat.reply', 'Hello');
    comeBack('ann');
    expect(localStorage.getItem(form('acme:ann'))).toBe('Spring');
    expect(localStorage.getItem('offline.draft.other:ann.chat.reply')).toBe('Hello');
    expect(sessionStorage.getItem('interrupted-writing')).toBeNull();
  });

  test('is deleted when another person comes', () => {
    comeBack('bob');
    saveSession(enter('ann', 'acme'));
    expect(keys().filter((key) => key.includes('form'))).toEqual([]);
  });

  test('is deleted in every tab when its person signs out', () => {
    noteSignOut(true);
    comeBack('ann');
    expect(keys().filter((key) => key.includes('form'))).toEqual([]);
  });

  test('does not replace what was written since in another tab', () => {
    clearSession('ann');
    localStorage.setItem(form('acme:ann'), 'Summer');
    saveSession(enter('ann', 'acme'));
    expect(localStorage.getItem(form('acme:ann'))).toBe('Summer');
  });

  test.each(['{"userId":', '{"userId":"ann","entries":{"theme":"dark"}}', '{"userId":"ann","entries":null}'])(
    'is ignored when it is damaged: %s',
    (stored) => {
      clearSession();
      sessionStorage.setItem('interrupted-writing', stored);
      saveSession(enter('ann', 'acme'));
      expect(keys()).toEqual(['offline.session.acme:ann', 'offline.workspace']);
    },
  );
});
