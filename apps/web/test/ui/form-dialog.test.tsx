import { expect, test, vi } from 'vitest';
import { ConflictBanner } from '../../src/ui/conflict-banner.tsx';
import { FormDialog, type FormDialogProps } from '../../src/ui/overlays/form-dialog.tsx';
import { eventually, find, findAll, press, pressKey, show } from '../screen.tsx';

function open(props: Partial<FormDialogProps> = {}) {
  const onSubmit = vi.fn<() => void>();
  const onClose = vi.fn<() => void>();
  const onOuterSubmit = vi.fn<() => void>();
  const draw = (more: Partial<FormDialogProps>) => (
    <form onSubmit={onOuterSubmit}>
      <FormDialog title="A plant" submitLabel="Save" onSubmit={onSubmit} onClose={onClose} {...more}>
        <label>
          Name <input />
        </label>
      </FormDialog>
    </form>
  );
  const redraw = show(draw(props));
  return { onSubmit, onClose, onOuterSubmit, redraw: (more: Partial<FormDialogProps>) => redraw(draw(more)) };
}

test('the button saves, and a form around the dialog does not hear of it', async () => {
  const { onSubmit, onOuterSubmit } = open();
  press(await find('button', 'Save'));
  await eventually(() => expect(onSubmit).toHaveBeenCalledOnce());
  expect(onOuterSubmit).not.toHaveBeenCalled();
});

test('until it is ready it waits and says for what, also for Enter', async () => {
  const { onSubmit, redraw } = open({ isReady: false, whyNot: 'A name is needed.' });
  const button = await find('button', 'Save');
  expect(button).toHaveProperty('disabled', true);
  const reason = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(reason?.textContent).toBe('A name is needed.');
  button.closest('[role=dialog]')?.querySelector('form')?.requestSubmit();
  expect(onSubmit).not.toHaveBeenCalled();
  redraw({ isSaving: true });
  await eventually(() => expect(button).toHaveProperty('disabled', false));
  expect(document.body.textContent).not.toContain('A name is needed.');
  document.querySelector<HTMLFormElement>('[role=dialog] form')?.requestSubmit();
  expect(onSubmit).not.toHaveBeenCalled();
  redraw({});
  await eventually(() => {
    document.querySelector<HTMLFormElement>('[role=dialog] form')?.requestSubmit();
    expect(onSubmit).toHaveBeenCalled();
  });
});

test('Cancel and Escape close it', async () => {
  const { onClose } = open();
  press(await find('button', 'Cancel'));
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(1));
  (await find('textbox')).focus();
  pressKey('Escape');
  await eventually(() => expect(onClose).toHaveBeenCalledTimes(2));
});

test('a conflict says what happened and offers each way on', async () => {
  const load = vi.fn<() => void>();
  const keep = vi.fn<() => void>();
  const redraw = show(
    <ConflictBanner
      ways={[
        { label: 'Load theirs', onSelect: load },
        { label: 'Keep mine', onSelect: keep },
      ]}
    >
      Somebody else changed it.
    </ConflictBanner>,
  );
  expect((await find('status')).textContent).toContain('Somebody else changed it.');
  press(await find('button', 'Keep mine'));
  expect([load.mock.calls.length, keep.mock.calls.length]).toEqual([0, 1]);
  redraw(
    <ConflictBanner isGone ways={[]}>
      Somebody else deleted it.
    </ConflictBanner>,
  );
  expect((await find('alert')).textContent).toBe('Somebody else deleted it.');
  expect(findAll('button')).toEqual([]);
});
