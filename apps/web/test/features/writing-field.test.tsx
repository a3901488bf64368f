import { useRef, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { WritingField, type Offer } from '../../src/features/composer/field/writing-field.tsx';
import { eventually, show } from '../screen.tsx';

const sent = vi.fn<(text: string) => void>();
const picked = vi.fn<(index: number) => void>();
const escaped = vi.fn<() => boolean>(() => true);
const files = vi.fn<(files: File[]) => void>();

function Box({
  sendsOnEnter = true,
  hasStyles = true,
  offers = [],
}: {
  sendsOnEnter?: boolean;
  hasStyles?: boolean;
  offers?: string[];
}) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const offer: Offer | null = text.startsWith('/')
    ? {
        label: 'Quick replies',
        empty: 'Nothing fits.',
        items: offers.map((id) => ({ id, content: id })),
        pick: picked,
      }
    : null;
  return (
    <WritingField
      fieldRef={field}
      value={text}
      label="Message"
      placeholder="Write"
      {...{ sendsOnEnter, hasStyles, offer }}
      onChange={setText}
      onCaret={() => undefined}
      onSubmit={() => sent(text)}
      onEscape={escaped}
      onFiles={files}
    />
  );
}

const area = () => document.querySelector('textarea')!;
async function type(text: string) {
  const field = area();
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(field, text);
  field.setSelectionRange(text.length, text.length);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await eventually(() => expect(area().value).toBe(text));
}
function press(key: string, more: KeyboardEventInit = {}): boolean {
  return area().dispatchEvent(
    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }),
  );
}
const active = () => document.getElementById(area().getAttribute('aria-activedescendant') ?? '')?.textContent;

async function open(props: Parameters<typeof Box>[0] = {}) {
  for (const called of [sent, picked, escaped, files]) called.mockClear();
  show(<Box {...props} />);
  await eventually(() => expect(area()).toBeTruthy());
}

test('Enter sends, and begins a line with Shift or while a word is composed', async () => {
  await open();
  await type('Hello');
  press('Enter', { shiftKey: true });
  press('Enter', { isComposing: true });
  expect(sent).not.toHaveBeenCalled();
  expect(press('Enter')).toBe(false);
  expect(sent).toHaveBeenCalledExactlyOnceWith('Hello');
});

test.each([
  ['marks what is chosen', true, '*Hello*'],
  ['marks nothing where phones show the signs', false, 'Hello'],
])('Ctrl+B %s', async (_, hasStyles, text) => {
  await open({ hasStyles });
  await type('Hello');
  area().setSelectionRange(0, 5);
  press('b', { ctrlKey: true });
  await eventually(() => expect(area().value).toBe(text));
});

test('where Enter begins a line, Ctrl or Cmd with it sends', async () => {
  await open({ sendsOnEnter: false });
  await type('Hello');
  expect(press('Enter')).toBe(true);
  expect(sent).not.toHaveBeenCalled();
  press('Enter', { ctrlKey: true });
  press('Enter', { metaKey: true });
  expect(sent).toHaveBeenCalledTimes(2);
});

test('marks go around what is selected', async () => {
  await open();
  await type('say hello');
  area().setSelectionRange(4, 9);
  press('b', { ctrlKey: true });
  await eventually(() => expect(area().value).toBe('say *hello*'));
  expect([area().selectionStart, area().selectionEnd]).toEqual([5, 10]);
});

test('what is offered is chosen by keys, and Escape leaves it for this word', async () => {
  await open({ offers: ['one', 'two'] });
  await type('/o');
  await eventually(() => expect(active()).toBe('one'));
  press('ArrowDown');
  await eventually(() => expect(active()).toBe('two'));
  press('ArrowDown');
  await eventually(() => expect(active()).toBe('one'));
  press('ArrowUp');
  await eventually(() => expect(active()).toBe('two'));
  press('Enter');
  expect(picked).toHaveBeenCalledExactlyOnceWith(1);
  expect(sent).not.toHaveBeenCalled();
  press('Escape');
  await eventually(() => expect(document.querySelector('[role=listbox]')).toBeNull());
  expect(escaped).not.toHaveBeenCalled();
  press('Escape');
  expect(escaped).toHaveBeenCalledOnce();
  await type('/on');
  await eventually(() => expect(document.querySelector('[role=listbox]')).not.toBeNull());
});

test('files that are pasted are attached, and a text with its picture is a text', async () => {
  await open();
  const paste = (types: string[]) => {
    const event = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(event, { clipboardData: { files: [new File(['x'], 'a.png')], types } });
    area().dispatchEvent(event);
  };
  paste(['Files', 'text/plain']);
  expect(files).not.toHaveBeenCalled();
  paste(['Files']);
  expect(files).toHaveBeenCalledOnce();
});

test('Escape leaves the field when there is nothing else to leave', async () => {
  await open();
  area().focus();
  press('Escape');
  expect(document.activeElement).toBe(area());
  escaped.mockReturnValueOnce(false);
  press('Escape');
  expect(document.activeElement).toBe(document.body);
});
