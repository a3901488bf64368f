import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { AssigneeSelect } from '../../src/features/automation/editor/reference-selects.tsx';
import { DeliveryDialog } from '../../src/features/webhook-endpoints/delivery-dialog.tsx';
import { ResendDialog } from '../../src/features/webhook-endpoints/resend-dialog.tsx';
import type { WebhookEndpoint } from '../../src/features/webhook-endpoints/webhook-queries.ts';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { shownToasts } from '../../src/ui/toast.ts';
import { eventually, find, findAll, press, show } from '../screen.tsx';

beforeAll(() => Promise.all([loadMessages('webhook-endpoints'), loadMessages('automation')]));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
  for (const { id } of shownToasts.read()) shownToasts.dismiss(id);
});

const ID = '0197aaaa-0000-7000-8000-000000000001';

/** `answers` by the last part of the address. */
function open(content: ReactNode, answers: Record<string, object>): void {
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json({ json: answers[new URL(request.url).pathname.split('/').at(-1) ?? ''] ?? {} }),
  );
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    permissions: ['settings:manage', 'messages:update'],
  } as never);
  show(<QueryClientProvider client={queryClient}>{content}</QueryClientProvider>);
}

const said = () => [...shownToasts.read()].map(({ title }) => title);

test.each([
  ['waiting', 'Try now', 'The delivery is tried now.'],
  ['failed', 'Resend', 'The delivery is on its way again.'],
])('a delivery that is %s has the button %s', async (status, label, told) => {
  const delivery = {
    ...{ id: ID, endpointId: ID, type: 'contact.created', status, body: '{}', log: [], attempts: 1 },
    ...{ occurredAt: '2026-11-27T08:00:00.000Z', createdAt: '2026-11-27T08:00:00.000Z' },
  };
  open(<DeliveryDialog deliveryId={ID} onClose={() => {}} />, { get: delivery, resend: delivery });
  press(await find('button', label));
  await eventually(() => expect(said()).toEqual([told]));
});

test.each([
  [null, false, 'The deliveries are being sent again.'],
  ['2026-11-27T08:00:00.000Z', true, 'The deliveries wait until the endpoint is resumed.'],
])('sending again to an endpoint that was paused at %s', async (pausedAt, waits, told) => {
  const endpoint = { id: ID, pausedAt } as WebhookEndpoint;
  open(<ResendDialog endpoint={endpoint} onClose={() => {}} />, { previewResend: { count: 3 } });
  const button = await find('button', 'Resend 3 deliveries');
  expect(document.body.textContent.includes('This endpoint is paused')).toBe(waits);
  press(button);
  await eventually(() => expect(said()).toEqual([told]));
});

test.each([
  ['without a team', [], 'Add one on the User Management page, under Teams.'],
  ['with one', [{ id: ID, name: 'Sales' }], null],
])('a step for a team %s', async (_, teams, hint) => {
  open(
    <AssigneeSelect
      {...{ kind: 'team', label: 'Team', error: undefined, required: true, value: null }}
      onChange={() => {}}
    />,
    { listAssignees: { people: [], teams } },
  );
  const field = (await find('combobox', 'Team')) as HTMLInputElement;
  await eventually(() => expect(field.placeholder).toBe(hint === null ? 'Choose a team' : 'No teams yet'));
  expect(findAll('combobox', 'Team')).toHaveLength(1);
  expect(document.body.textContent.includes('under Teams')).toBe(hint !== null);
});
