import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { TemplateCard } from '../../src/features/templates/template-card.tsx';
import { loadMessages, switchLocale } from '../../src/shared/messages.ts';
import { eventually, find, press, show, shownText } from '../screen.tsx';

type Template = Parameters<typeof TemplateCard>[0]['group'][0];

beforeAll(async () => {
  await loadMessages('templates');
  await loadMessages('sending');
  await loadMessages('deliveries');
});
afterEach(() => switchLocale('en'));

const template = (id: string, over: Partial<Template>): Template => ({
  ...{ id, name: 'Spring', category: 'promotion', language: 'en', status: 'approved', standing: 'approved' },
  ...{ content: `Text ${id}`, variables: [], components: [{ type: 'body', text: `Text ${id}` }] },
  ...{ isSendable: true, whyNotSendable: null, platform: null, rejectionReason: null, rejection: null },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: null, version: 1, ...over },
});
const english = template('one', {});
const german = template('two', {
  ...{ language: 'de', status: 'rejected', standing: 'rejected', whyNotSendable: 'rejected' },
  rejection: { reason: 'SCAM', code: null, text: 'Say who you are.' },
});
const british = template('three', { language: 'en_GB', whyNotSendable: 'header_file_missing' });
const acts = { menu: [] };

test('a card holds a template in all of its languages, and is about the one that is shown', async () => {
  const edit = vi.fn<(id: string) => void>();
  show(
    <TemplateCard
      group={[english, german, british]}
      actionsOn={({ id }) => ({ ...acts, buttons: [{ label: 'Edit', onSelect: () => edit(id) }] })}
    />,
  );
  await eventually(() => expect(shownText()).toContain('Text one'));
  press(await find('button', /German/));
  await eventually(() => expect(shownText()).toContain('Text two'));
  await eventually(() =>
    expect(shownText()).toMatch(/took the content for a scam.*The platform wrote: “Say who you are\.”/s),
  );
  press(await find('button', 'Edit'));
  expect(edit).toHaveBeenCalledWith('two');
  // Each button says how its language stands, whichever is shown.
  expect((await find('button', /Rejected.*German/)).getAttribute('aria-pressed')).toBe('true');
  press(await find('button', /Header file missing.*British English/));
  await eventually(() => expect(shownText()).toContain('Text three'));
});

test('a rejection is told in the language of the reader, and what the platform wrote is quoted', async () => {
  await switchLocale('de');
  show(<TemplateCard group={[german]} actionsOn={() => ({ ...acts, buttons: [] })} />);
  await eventually(() => expect(shownText()).toMatch(/Betrug.*„Say who you are\.“/s));
  expect(shownText()).not.toMatch(/took the content/);
});

test('a refused submission is told by its code, and in the words of the platform where that has none', async () => {
  await switchLocale('de');
  const refused = (code: string) =>
    template(code, { status: 'rejected', rejection: { reason: null, code, text: 'In English.' } });
  show(<TemplateCard group={[refused('2388299')]} actionsOn={() => ({ ...acts, buttons: [] })} />);
  await eventually(() => expect(shownText()).toMatch(/Variable.*Anfang oder Ende/));
  expect(shownText()).not.toContain('In English');
  show(<TemplateCard group={[refused('777')]} actionsOn={() => ({ ...acts, buttons: [] })} />);
  await eventually(() => expect(shownText()).toContain('Die Plattform schrieb: „In English.“'));
});
