import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useAction } from '../actions/use-action.ts';
import { api, orpc } from '../api.ts';
import { errorMessageOf } from '../error-message.ts';
import { t } from '../messages.ts';
import { clearWorkspaceCopies } from '../offline/offline-copy.ts';
import { clearMessagesOf } from '../outbox/clear-messages.ts';
import { paths } from '../paths.ts';
import { useSession } from '../session.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { clearPlace } from './tab-workspace.ts';

const leaveFailure = errorMessageOf({ last_admin: 'workspaces.leave.lastAdmin' });

/** Ends one's own membership of the workspace of this tab. Load the catalogue `workspaces` before. */
export function LeavePanel() {
  const session = useSession();
  const confirm = useConfirm();
  const { data } = useQuery(orpc.workspaces.list.queryOptions({ input: {} }));
  const leave = useAction({
    mutationFn: (workspaceId: string) => api.workspaces.leave({ workspaceId }),
    onSuccess: async (_, workspaceId) => {
      clearWorkspaceCopies(workspaceId);
      clearPlace();
      await clearMessagesOf(workspaceId).catch(() => undefined);
      location.assign(paths.dashboard);
    },
    onError: (error) => notify.error(leaveFailure(error)),
  });
  if (session.status !== 'signed-in') return null;
  const { id, businessName: name } = session.workspace;
  const isOnly = data?.workspaces.length === 1;
  const text = [t('workspaces.leave.text', { name }), ...(isOnly ? [t('workspaces.leave.only')] : [])].join(
    ' ',
  );

  async function ask() {
    const isSure = await confirm({
      title: t('workspaces.leave.question', { name }),
      text,
      confirmLabel: t('workspaces.leave.confirm'),
    });
    if (isSure) leave.mutate(id);
  }

  return (
    <Panel title={t('workspaces.leave.title')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-72 text-pretty text-muted">{text}</p>
        <Button
          variant="danger-ghost"
          icon={<LogOut aria-hidden />}
          disabled={!data}
          loading={leave.isPending || leave.isSuccess}
          onClick={() => void ask()}
        >
          {t('workspaces.leave.confirm')}
        </Button>
      </div>
    </Panel>
  );
}
