import { ApiError } from '../../src/shared/rpc/api-error.ts';
import { expect, test, vi } from 'vitest';
import { errorMessageOf } from '../../src/shared/error-message.ts';
import { loadMessages, t } from '../../src/shared/messages.ts';
import { notifyWithUndo } from '../../src/shared/undo.ts';
import { Toaster } from '../../src/ui/toasts/toaster.tsx';
import { eventually, find, press, show, shownText } from '../screen.tsx';

test('a feature says its own refusals, with their values, and everybody says the others', async () => {
  await loadMessages('contacts', 'templates');
  const say = errorMessageOf({
    contact_erased: 'contacts.error.erased',
    template_in_use: ({ campaign }) => t('templates.error.inUse', { campaign: campaign ?? '' }),
  });
  const refusal = (code: string, values = {}) => new ApiError(code, { status: 409, data: { values } });
  expect(say(refusal('contact_erased'))).toBe(t('contacts.error.erased'));
  expect(say(refusal('template_in_use', { campaign: 'Spring' }))).toContain('Spring');
  await eventually(() => expect(say(new TypeError('no network'))).toBe(t('common.error.offline')));
  expect(say(new Error('a bug'))).toBe(t('common.error.internal'));
});

test('what is done can be taken back from its notification', async () => {
  const undo = vi.fn<() => Promise<void>>(() => Promise.resolve());
  show(<Toaster />);
  notifyWithUndo('3 contacts deleted', undo, { isLarge: true });
  await eventually(() => expect(shownText()).toContain('3 contacts deleted'));
  press(await find('button', 'Undo'));
  await eventually(() => expect(undo).toHaveBeenCalledOnce());
});
