import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { useAction } from '../../src/shared/actions/use-action.ts';
import { eventually, find, press, show, shownText } from '../screen.tsx';

type Save = (name: string) => Promise<string>;

function SaveButton({ save, name = 'Ann', onSuccess }: { save: Save; name?: string; onSuccess: () => void }) {
  const act = useAction({ mutationFn: save, onSuccess });
  return (
    <>
      <button type="button" onClick={() => act.mutate(name)}>
        Save {name}
      </button>
      <output>{act.isError ? 'failed' : (act.data ?? '')}</output>
    </>
  );
}

function showSaving(save: Save, onSuccess = vi.fn<() => void>()) {
  const client = new QueryClient();
  const page = (name: string) => (
    <QueryClientProvider client={client}>
      <SaveButton save={save} name={name} onSuccess={onSuccess} />
    </QueryClientProvider>
  );
  const draw = show(page('Ann'));
  return (name: string) => draw(page(name));
}

/** A server that answers when it is told to. */
function waitingServer() {
  const answers: ((fail?: boolean) => void)[] = [];
  const save = vi.fn<Save>(
    (name) =>
      new Promise((resolve, reject) =>
        answers.push((fail) => (fail ? reject(new Error('busy')) : resolve(`saved ${name}`))),
      ),
  );
  return { save, answer: (fail?: boolean) => answers.shift()?.(fail) };
}

test('pressed twice, also just after the answer, it is done and told once', async () => {
  const { save, answer } = waitingServer();
  const onSuccess = vi.fn<() => void>();
  showSaving(save, onSuccess);
  const button = await find('button', 'Save Ann');
  press(button);
  press(button);
  await eventually(() => expect(save).toHaveBeenCalledTimes(1));
  // However slow the machine is, the presses come within the time in which they are the same.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    answer();
    while (!shownText().includes('saved Ann')) {
      vi.advanceTimersByTime(0);
      await new Promise((resolve) => setImmediate(resolve));
    }
    press(button);
    press(button);
  } finally {
    vi.useRealTimers();
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(save).toHaveBeenCalledTimes(1);
  expect(onSuccess).toHaveBeenCalledTimes(1);
});

test('what failed may be tried again at once', async () => {
  const { save, answer } = waitingServer();
  showSaving(save);
  const button = await find('button', 'Save Ann');
  press(button);
  await eventually(() => expect(save).toHaveBeenCalledTimes(1));
  answer(true);
  await eventually(() => expect(shownText()).toContain('failed'));
  press(button);
  await eventually(() => expect(save).toHaveBeenCalledTimes(2));
  answer();
  await eventually(() => expect(shownText()).toContain('saved Ann'));
});

test('another act goes ahead while the first is under way', async () => {
  const { save, answer } = waitingServer();
  const redraw = showSaving(save);
  press(await find('button', 'Save Ann'));
  redraw('Ben');
  press(await find('button', 'Save Ben'));
  await eventually(() => expect(save.mock.calls.map(([name]) => name)).toEqual(['Ann', 'Ben']));
  answer();
  answer();
  await eventually(() => expect(shownText()).toContain('saved Ben'));
});
