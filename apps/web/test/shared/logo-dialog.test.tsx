import { QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { LogoDialog } from '../../src/shared/business-profile/logo-dialog.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, press, show, shownText } from '../screen.tsx';

beforeAll(() => loadMessages('settings'));
beforeEach(() => {
  // This DOM has no addresses of files.
  Object.assign(URL, { createObjectURL: () => 'blob:chosen', revokeObjectURL: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

function openDialog(file = new File(['picture'], 'logo.png', { type: 'image/png' })): string[] {
  const taken: string[] = [];
  show(
    <QueryClientProvider client={queryClient}>
      <LogoDialog file={file} onTaken={(logo) => taken.push(logo)} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  return taken;
}

/** As the browser tells what it made of the file. */
async function seeAs(size: { width: number; height: number } | null): Promise<void> {
  const picture = await find('img');
  if (size) {
    Object.defineProperty(picture, 'naturalWidth', { value: size.width });
    Object.defineProperty(picture, 'naturalHeight', { value: size.height });
  }
  picture.dispatchEvent(new Event(size ? 'load' : 'error'));
}
const use = () => find('button', 'Use This Picture');
/** The button that sends waits, or does not. */
const expectWaiting = (waits: boolean) => eventually(async () => expect(isOff(await use())).toBe(waits));
const isOff = (button: HTMLElement) =>
  button.getAttribute('aria-disabled') === 'true' || button.hasAttribute('disabled');

test('what is no picture is said before it is sent, and nothing stands where it would be', async () => {
  openDialog();
  await seeAs(null);
  await expectWaiting(true);
  expect(shownText()).toContain('This is not a PNG or JPEG picture that can be read.');
  expect(document.querySelector('img')).toBeNull();
});

test('a banner that is too low to be cropped may be shown whole', async () => {
  openDialog();
  await seeAs({ width: 640, height: 100 });
  await expectWaiting(true);
  expect(shownText()).toContain('The picture is too small');
  press(await find('radio', /^Show all of it/));
  await expectWaiting(false);
  expect(shownText()).not.toContain('The picture is too small');
});

test('a file that is too large is not sent', async () => {
  const file = new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'logo.jpg', { type: 'image/jpeg' });
  openDialog(file);
  await seeAs({ width: 640, height: 640 });
  await expectWaiting(true);
  expect(shownText()).toContain('5 MB');
});

test('it is sent once, as chosen, however often the button is pressed', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', (address: string) => {
    sent.push(String(address));
    return new Promise(() => undefined);
  });
  openDialog();
  await seeAs({ width: 640, height: 640 });
  await expectWaiting(false);
  press(await use());
  press(await use());
  await expectWaiting(true);
  expect(sent).toHaveLength(1);
});
