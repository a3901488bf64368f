import { afterEach, expect, test, vi } from 'vitest';
import { notify } from '../../src/ui/toast.ts';
import { Toaster } from '../../src/ui/toasts/toaster.tsx';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

const raised: number[] = [];
const keep = (id: number) => void raised.push(id);
afterEach(() => raised.splice(0).forEach(notify.dismiss));

const LONG = { duration: 60_000 };

test('a notification is heard when there is time, an error at once', async () => {
  show(<Toaster />);
  keep(notify.success('Contact added', LONG));
  keep(notify.error('The server is busy', LONG));
  await eventually(() => expect(shownText()).toContain('The server is busy'));
  const heard = (how: string) => document.querySelector(`[aria-live=${how}]`)?.textContent;
  expect(heard('polite')).toContain('Contact added');
  expect(heard('assertive')).toContain('The server is busy');
  expect(heard('polite')).not.toContain('busy');
});

test('it goes after its time, but not under a hand', async () => {
  show(<Toaster />);
  keep(notify.info('Going', { duration: 60 }));
  keep(notify.info('Staying', { duration: 1_000 }));
  const staying = await eventually(() => {
    const found = [...document.querySelectorAll('p')].find(({ textContent }) => textContent === 'Staying');
    expect(found).toBeDefined();
    return found!;
  });
  staying.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  await eventually(() => expect(shownText()).not.toContain('Going'));
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(shownText()).toContain('Staying');
  staying.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, relatedTarget: document.body }));
  await eventually(() => expect(shownText()).not.toContain('Staying'));
});

test('what can still be done about it is done once and takes it away', async () => {
  const onSelect = vi.fn<() => void>();
  show(<Toaster />);
  keep(notify.success('Contact deleted', { ...LONG, action: { label: 'Undo', onSelect } }));
  press(await find('button', 'Undo'));
  expect(onSelect).toHaveBeenCalledTimes(1);
  await eventually(() => expect(findAll('button', 'Undo')).toHaveLength(0));
});

test('of more than four the oldest go first', async () => {
  show(<Toaster />);
  for (const n of [1, 2, 3, 4, 5]) keep(notify.info(`Number ${n}`, LONG));
  await eventually(() => expect(shownText()).toContain('Number 5'));
  expect(shownText()).not.toContain('Number 1');
  expect(findAll('button', 'Close')).toHaveLength(4);
});

test('what is said again is one notification that counts; one that can be taken back is never counted in', async () => {
  show(<Toaster />);
  for (let time = 0; time < 3; time += 1) keep(notify.error('The server is busy', LONG));
  await eventually(() => expect(shownText()).toContain('The server is busy×3'));
  expect(findAll('button', 'Close')).toHaveLength(1);
  const action = { label: 'Undo', onSelect: () => undefined };
  for (let time = 0; time < 2; time += 1) keep(notify.success('Contact deleted', { ...LONG, action }));
  await eventually(() => expect(findAll('button', 'Undo')).toHaveLength(2));
});

test('of more than four what can still be taken back stays', async () => {
  show(<Toaster />);
  keep(notify.success('Deleted', { ...LONG, action: { label: 'Undo', onSelect: () => undefined } }));
  for (const n of [1, 2, 3, 4]) keep(notify.info(`Number ${n}`, LONG));
  await eventually(() => expect(shownText()).toContain('Number 4'));
  expect(findAll('button', 'Undo')).toHaveLength(1);
  expect(shownText()).not.toContain('Number 1');
});
