import { QueryClientProvider } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { beforeAll, expect, test } from 'vitest';
import { orpc } from '../../src/shared/api.ts';
import { customFieldsOptions } from '../../src/shared/contacts/custom-fields.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { markByKey } from '../../src/shared/writing/mark-list.tsx';
import { WritingTools } from '../../src/shared/writing/writing-tools.tsx';
import { eventually, find, press, show } from '../screen.tsx';

beforeAll(() => loadMessages('writing'));

function Writing() {
  const [text, setText] = useState('Hello there');
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <>
      <textarea
        ref={field}
        aria-label="Text"
        value={text}
        onKeyDown={markByKey}
        onChange={(event) => setText(event.target.value)}
      />
      <WritingTools field={field} variables={[{ name: 'name', label: 'Name' }]} />
    </>
  );
}

async function open() {
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    permissions: ['contacts:read'],
  } as never);
  queryClient.setQueryData(customFieldsOptions.queryKey, {
    items: [
      { key: 'city', label: 'City' },
      { key: 'name', label: 'Another name' },
    ],
  } as never);
  show(
    <QueryClientProvider client={queryClient}>
      <Writing />
    </QueryClientProvider>,
  );
  const field = (await find('textbox', 'Text')) as HTMLTextAreaElement; // it is one
  field.setSelectionRange(6, 11);
  return field;
}

test('marks stand around what is selected, by button and by key', async () => {
  const field = await open();
  press(await find('button', 'Bold'));
  await eventually(() => expect(field.value).toBe('Hello *there*'));
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'i', ctrlKey: true, bubbles: true }));
  await eventually(() => expect(field.value).toBe('Hello *_there_*'));
});

test('variables and custom fields come where the caret stands; none is offered under a name that is taken', async () => {
  const field = await open();
  press(await find('button', 'Name'));
  await eventually(() => expect(field.value).toBe('Hello {{name}}'));
  press(await find('button', 'Custom field'));
  press(await find('menuitem', /City/));
  await eventually(() => expect(field.value).toBe('Hello {{name}}{{city}}'));
  expect(document.body.textContent).not.toContain('Another name');
});
