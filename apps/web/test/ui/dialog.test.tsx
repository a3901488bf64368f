import { useState } from 'react';
import { expect, test } from 'vitest';
import { Dialog, type DialogProps } from '../../src/ui/overlays/dialog.tsx';
import { eventually, find, findAll, press, pressKey, show } from '../screen.tsx';

function Opener(props: Partial<DialogProps>) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} onOpenChange={setOpen} title="A form" {...props}>
        <label>
          First <input />
        </label>
        <input type="hidden" name="second" />
      </Dialog>
    </>
  );
}

async function open(props: Partial<DialogProps> = {}): Promise<HTMLElement> {
  show(<Opener {...props} />);
  press(await find('button', 'Open'));
  return find('dialog', 'A form');
}

const isGone = () => eventually(() => expect(findAll('dialog')).toHaveLength(0));

test('a dialog takes the focus to its first field and gives it back after Escape', async () => {
  await open();
  await eventually(() => expect(document.activeElement?.tagName).toBe('INPUT'));
  pressKey('Escape');
  await isGone();
  await eventually(() => expect(document.activeElement?.textContent).toBe('Open'));
});

test('its cross closes it, and it is named and described', async () => {
  const dialog = await open({ description: 'What it is for' });
  const described = document.getElementById(dialog.getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toBe('What it is for');
  press(await find('button', 'Close'));
  await isGone();
});

test.each([
  ['closes it', false],
  ['leaves a form that could lose what was typed', true],
])('a press beside it %s', async (_, keepOpenOnOutsidePress) => {
  const dialog = await open({ keepOpenOnOutsidePress });
  press(dialog.parentElement!);
  if (keepOpenOnOutsidePress) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(findAll('dialog')).toHaveLength(1);
  } else await isGone();
});
