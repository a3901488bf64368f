import { expect, test, vi } from 'vitest';
import type { ConfirmRequest } from '../../src/ui/overlays/confirm-request.ts';
import { ConfirmProvider, useConfirm } from '../../src/ui/overlays/confirm.tsx';
import { eventually, find, findAll, press, pressKey, show } from '../screen.tsx';

function Asker({ request, onAnswer }: { request: ConfirmRequest; onAnswer: (yes: boolean) => void }) {
  const confirm = useConfirm();
  return (
    <button type="button" onClick={() => void confirm(request).then(onAnswer)}>
      Ask
    </button>
  );
}

async function ask(request: Partial<ConfirmRequest> = {}) {
  const onAnswer = vi.fn<(yes: boolean) => void>();
  show(
    <ConfirmProvider>
      <Asker
        request={{ title: 'Delete Ann?', text: 'She goes for good.', confirmLabel: 'Delete', ...request }}
        onAnswer={onAnswer}
      />
    </ConfirmProvider>,
  );
  press(await find('button', 'Ask'));
  await find('alertdialog', 'Delete Ann?');
  return onAnswer;
}

const isGone = () => eventually(() => expect(findAll('alertdialog')).toHaveLength(0));

test('the question is answered with yes once, however often it is pressed', async () => {
  const onAnswer = await ask();
  const yes = await find('button', 'Delete');
  for (let times = 0; times < 3; times += 1) press(yes);
  await isGone();
  await eventually(() => expect(onAnswer.mock.calls).toEqual([[true]]));
});

test.each([
  ['Cancel', async () => press(await find('button', 'Cancel'))],
  ['Escape', async () => pressKey('Escape')],
])('%s is a no', async (_, refuse) => {
  const onAnswer = await ask();
  await refuse();
  await isGone();
  await eventually(() => expect(onAnswer.mock.calls).toEqual([[false]]));
});

test('that it goes shows before what follows begins', async () => {
  const onAnswer = await ask();
  press(await find('button', 'Delete'));
  await Promise.resolve();
  expect(onAnswer).not.toHaveBeenCalled();
  await eventually(() => expect(onAnswer.mock.calls).toEqual([[true]]));
});

test('while its work is under way the question stays, and cannot be left', async () => {
  let done: (() => void) | undefined;
  const work = vi.fn<() => Promise<void>>(() => new Promise((resolve) => (done = resolve)));
  const onAnswer = await ask({ work });
  const yes = await find('button', 'Delete');
  press(yes);
  press(yes);
  expect(work).toHaveBeenCalledTimes(1);
  await eventually(async () => expect((await find('button', 'Cancel')).matches(':disabled')).toBe(true));
  pressKey('Escape');
  expect(findAll('alertdialog')).toHaveLength(1);
  expect(onAnswer).not.toHaveBeenCalled();
  done?.();
  await isGone();
  await eventually(() => expect(onAnswer.mock.calls).toEqual([[true]]));
});

test('what stands in the way cannot be confirmed: its next step takes the place of the answer', async () => {
  const onSelect = vi.fn<() => void>();
  const onAnswer = await ask({
    obstacle: { text: 'It is not connected.', step: { label: 'Open Settings', onSelect } },
  });
  expect((await find('alert')).textContent).toBe('It is not connected.');
  expect(findAll('button', 'Delete')).toHaveLength(0);
  press(await find('button', 'Open Settings'));
  await isGone();
  await eventually(() => expect(onAnswer.mock.calls).toEqual([[false]]));
  expect(onSelect).toHaveBeenCalledTimes(1);
});

test('where nobody here can mend it, it can only be left', async () => {
  const onAnswer = await ask({ obstacle: { text: 'It is not connected.' } });
  expect(findAll('button').map(({ textContent }) => textContent)).toEqual(['Cancel']);
  press(await find('button', 'Cancel'));
  await eventually(() => expect(onAnswer.mock.calls).toEqual([[false]]));
});

test('a second question is a dialog of its own', async () => {
  const onAnswer = await ask();
  press(await find('button', 'Cancel'));
  await isGone();
  press(await find('button', 'Ask'));
  press(await find('button', 'Delete'));
  await eventually(() => expect(onAnswer.mock.calls).toEqual([[false], [true]]));
});
