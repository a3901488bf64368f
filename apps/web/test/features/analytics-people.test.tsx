import { defaultRolePermissions } from '@app/domain/auth/permissions';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PeopleDialog } from '../../src/features/analytics/people-dialog.tsx';
import { orpc } from '../../src/shared/api.ts';
import { loadMessages } from '../../src/shared/messages.ts';
import { queryClient } from '../../src/shared/query-client.ts';
import { showPage } from '../page.tsx';
import { eventually, shownText } from '../screen.tsx';

const TEMPLATE = '0193a6f0-0000-7000-8000-000000000001';

beforeAll(() => loadMessages('analytics-people'));
afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

/** The people behind a number of whom nobody is found. */
function openNobody(workspace: { isSample: boolean }) {
  queryClient.setQueryData(orpc.auth.getSession.queryKey({ input: {} }), {
    ...{ user: { id: 'u' }, workspace: { id: 'w', ...workspace }, permissions: defaultRolePermissions.admin },
  } as never);
  vi.stubGlobal('fetch', (request: Request) => {
    const isCount = request.url.endsWith('/count');
    return Promise.resolve(Response.json({ json: isCount ? { count: 0 } : { items: [], nextCursor: null } }));
  });
  showPage(() => (
    <PeopleDialog
      people={`read;2026-11-01;2026-11-28;UTC;templateId=${TEMPLATE}`}
      tag=""
      segment=""
      onClose={() => {}}
    />
  ));
}

test('where nobody is left, the list says that contacts were deleted; in the sample, that its messages are not stored', async () => {
  openNobody({ isSample: false });
  await eventually(() => expect(shownText()).toContain('were deleted since'));
  queryClient.clear();
  openNobody({ isSample: true });
  await eventually(() => expect(shownText()).toContain('counts older messages without storing each one'));
});
