import { useQuery } from '@tanstack/react-query';
import { LogOut, UserRoundX } from 'lucide-react';
import { useEffect } from 'react';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { clearMessagesOf } from '../../shared/outbox/clear-messages.ts';
import { signOut, type LostWorkspace as Lost } from '../../shared/session.ts';
import { workspaceHere } from '../../shared/workspaces/tab-workspace.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { PageMessage } from '../plain-pages/page-message.tsx';
import { WorkspaceLinks } from './workspace-links.tsx';

/** In place of a workspace that somebody was removed from, or that was never theirs: says so, and leads to their own ones. */
export function LostWorkspace({ lost: { name } }: { lost: Lost }) {
  const { data, error, refetch } = useQuery(orpc.workspaces.list.queryOptions({ input: {} }));
  useEffect(() => {
    const workspaceId = workspaceHere();
    // What they wrote there can be sent no more.
    if (workspaceId) clearMessagesOf(workspaceId).catch(() => undefined);
  }, []);
  return (
    <PageMessage
      icon={<UserRoundX />}
      title={name === null ? t('workspaces.lost.title') : t('workspaces.lost.named', { name })}
      text={t('workspaces.lost.text')}
      actions={
        <Button
          icon={<LogOut aria-hidden />}
          onClick={() => void signOut().catch(() => notify.error(t('common.signOutFailed')))}
        >
          {t('common.signOut')}
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState className="py-6" text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : null}
      {data && data.workspaces.length > 0 ? (
        <div className="mx-auto mt-5 w-80 max-w-full text-start">
          <h2 className="px-2 pb-1 text-sm font-medium text-muted">{t('workspaces.lost.others')}</h2>
          <WorkspaceLinks workspaces={data.workspaces} label={t('workspaces.lost.others')} />
        </div>
      ) : null}
    </PageMessage>
  );
}
