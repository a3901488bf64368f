import { Suspense, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lazyDialog } from '../../src/ui/overlays/lazy-dialog.tsx';
import { eventually, find, findAll, press, show, shownText } from '../screen.tsx';

function RealDialog({ onClose }: { onClose: () => void }) {
  return (
    <div role="dialog" aria-label="Custom fields">
      <button onClick={onClose}>Done</button>
    </div>
  );
}

let isHere = false;
beforeEach(() => {
  isHere = false;
  // The health of the server, which a file waits for.
  vi.stubGlobal('fetch', async () => new Response(null, { status: isHere ? 200 : 503 }));
  // A DOM without a layout has no dialogs of its own.
  HTMLDialogElement.prototype.showModal = function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
    this.open = false;
  };
});
afterEach(() => vi.unstubAllGlobals());

function open() {
  const Late = lazyDialog(async () => {
    if (!isHere) throw new TypeError('Failed to fetch dynamically imported module');
    return RealDialog;
  });
  function Page() {
    const [isOpen, setOpen] = useState(true);
    return <Suspense>{isOpen ? <Late onClose={() => setOpen(false)} /> : 'The page'}</Suspense>;
  }
  show(<Page />);
}

test('a dialog that is not on this device says so in its place, and comes by itself', async () => {
  open();
  await find('dialog', 'You are offline');
  expect(shownText()).not.toMatch(/module/);
  isHere = true;
  await find('dialog', 'Custom fields');
  expect(findAll('dialog', 'You are offline')).toEqual([]);
});

test('whoever closes what stands in its place is not met by it later', async () => {
  open();
  await find('dialog', 'You are offline');
  press(await find('button', 'Close'));
  await eventually(() => expect(shownText()).toBe('The page'));
  expect(findAll('dialog')).toEqual([]);
});

test('one that is here opens without a word about the connection', async () => {
  isHere = true;
  open();
  await find('dialog', 'Custom fields');
  press(await find('button', 'Done'));
  await eventually(() => expect(shownText()).toBe('The page'));
});
