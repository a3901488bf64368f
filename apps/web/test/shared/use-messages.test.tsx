import { expect, test } from 'vitest';
import { switchLocale, t } from '../../src/shared/messages.ts';
import { useMessages } from '../../src/shared/use-messages.ts';
import { eventually, show, shownText } from '../screen.tsx';

const drawn: string[] = [];

function FactWords() {
  const hasWords = useMessages('activity-facts');
  const text = hasWords ? t('activity.fact.contact.created', { name: 'Ann' }) : 'A moment';
  drawn.push(text);
  return <p>{text}</p>;
}

test('a part waits for its words, never shows a key, and needs no wait the next time or in another language', async () => {
  show(<FactWords />);
  await eventually(() => expect(shownText()).toBe('Added contact Ann'));
  expect([...new Set(drawn)]).toEqual(['A moment', 'Added contact Ann']);

  drawn.length = 0;
  await switchLocale('fr');
  show(<FactWords />);
  await eventually(() => expect(shownText()).toBe('Added contact AnnA ajouté le contact Ann'));
  expect([...new Set(drawn)]).toEqual(['A ajouté le contact Ann']);
  await switchLocale('en');
});
