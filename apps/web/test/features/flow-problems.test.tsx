import { emptyFlow, type FlowFile } from '@app/domain/flows/flow-file';
import { findFlowProblems } from '@app/domain/flows/check-flow';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { FlowEditor } from '../../src/features/automation/editor/flow-editor.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { eventually, find, press, show, shownText } from '../screen.tsx';

beforeAll(async () => {
  await Promise.all([loadMessages('automation'), loadMessages('canvas'), loadMessages('contacts')]);
});
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const fromFile: FlowFile = {
  ...emptyFlow('workflow', 'Orders'),
  triggers: [{ id: 'hand', type: 'by_hand', config: {}, conditions: null }],
  start: 'call',
  steps: [
    {
      id: 'call',
      type: 'webhook_call',
      config: { method: 'POST', url: 'https://shop.test/', body: '{}' },
      delay: { amount: 900, unit: 'days' },
      next: { done: 'gone' },
    },
  ],
};

/** What the draft is after each change. */
const changes: FlowFile[] = [];
function Edited() {
  const [flow, setFlow] = useState(fromFile);
  return (
    <FlowEditor
      workflowId="0197aaaa-0000-7000-8000-000000000001"
      flow={flow}
      problems={findFlowProblems(flow)}
      isReadOnly={false}
      onChange={(next) => {
        changes.push(next);
        setFlow(next);
      }}
    />
  );
}

test('each problem of a step from a file is said where it is mended, also of a field that no step has', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ json: { items: [], nextCursor: null } }));
  show(
    <QueryClientProvider client={queryClient}>
      <Edited />
    </QueryClientProvider>,
  );
  expect(findFlowProblems(fromFile).map(({ code }) => code)).toEqual([
    ...['field_unknown', 'delay_invalid', 'next_unknown'],
  ]);
  press(await find('button', /Webhook call/));
  await eventually(() => expect(shownText()).toContain('The field body is not known here.'));
  expect(shownText()).toContain('The delay is not possible.');
  expect(shownText()).toContain('The next step does not exist.');
  press(await find('button', 'Remove unknown fields'));
  await eventually(() => expect(shownText()).not.toContain('The field body is not known here.'));
  expect(changes.at(-1)?.steps[0]?.config).toEqual({ method: 'POST', url: 'https://shop.test/' });
});
