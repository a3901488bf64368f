import { operationKinds } from '@app/domain/operations/operation-kinds';
import { useQuery } from '@tanstack/react-query';
import { Archive as ArchiveIcon, Download, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatBytes, formatDate, formatDateTime } from '../../shared/formats.ts';
import { OperationProgress } from '../../shared/operations/operation-progress.tsx';
import { isOperationOver, useOperations } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { ArchiveDialog } from './archive-dialog.tsx';
import { archiveErrorMessage, downloadArchive } from './archive-download.ts';
import { archivesOptions, type Archive } from './data-queries.ts';
import { ReadInArchive } from './archive-import/import-archive.tsx';

/** Everything of the workspace as one file: asked for, on its way, ready for some days, and read in again. */
export function ArchivesPanel() {
  const [isAsking, setAsking] = useState(false);
  const writing = useOperations().find(
    (operation) => operation.kind === 'workspace-archive' && !isOperationOver(operation),
  );
  const mayTake = operationKinds['workspace-archive'].access.every(can);
  return (
    <Panel title={t('dataManagement.archive.title')} purpose={t('dataManagement.archive.hint')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div>
          <Button
            icon={<ArchiveIcon />}
            disabled={!mayTake || writing !== undefined}
            onClick={() => setAsking(true)}
          >
            {t('dataManagement.archive.act')}
          </Button>
        </div>
        {writing ? <OperationProgress operation={writing} /> : null}
        <ReadyArchives mayTake={mayTake} />
        <ReadInArchive />
      </div>
      {isAsking ? <ArchiveDialog onClose={() => setAsking(false)} /> : null}
    </Panel>
  );
}

function ReadyArchives({ mayTake }: { mayTake: boolean }) {
  const { data, error, refetch } = useQuery(archivesOptions());
  if (error && !data)
    return <ErrorState className="py-8" text={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-12" />;
  if (data.items.length === 0)
    return <p className="text-sm text-muted">{t('dataManagement.archive.none')}</p>;
  return (
    <ul
      aria-label={t('dataManagement.archive.list')}
      className="divide-y divide-border rounded-card border border-border"
    >
      {data.items.map((archive) => (
        <ReadyArchive key={archive.id} archive={archive} mayTake={mayTake} />
      ))}
    </ul>
  );
}

function ReadyArchive({ archive, mayTake }: { archive: Archive; mayTake: boolean }) {
  const [isOpening, setOpening] = useState(false);
  const confirm = useConfirm();
  const { id, bytes, by, withSecrets, isEncrypted, createdAt, keptUntil } = archive;
  const { missingFiles, lockedSecrets } = archive;
  const time = formatDateTime(createdAt);
  const readAnew = () =>
    queryClient.invalidateQueries({
      queryKey: orpc.dataManagement.listArchives.key(),
    });
  const download = async () => {
    setOpening(true);
    const failure = await downloadArchive(archive);
    setOpening(false);
    if (failure) notify.error(failure);
    if (failure) await readAnew();
  };
  const remove = () =>
    confirm({
      title: t('dataManagement.archive.deleteQuestion'),
      text: t('dataManagement.archive.deleteText', { time }),
      confirmLabel: t('dataManagement.archive.deleteAct'),
      work: async () => {
        try {
          await api.dataManagement.deleteArchive({ archiveId: id });
          notify.success(t('dataManagement.archive.deleted'));
        } catch (error) {
          notify.error(archiveErrorMessage(error));
        }
        await readAnew();
      },
    });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2">
      <span className="min-w-40 flex-1 tabular-nums">
        {time}
        <span className="block text-sm text-muted">
          {t('dataManagement.archive.about', {
            ...{ size: formatBytes(bytes), day: formatDate(keptUntil), by },
          })}
        </span>
        <Missing n={missingFiles} words="dataManagement.archive.missingFiles" />
        <Missing n={lockedSecrets} words="dataManagement.archive.lockedSecrets" />
      </span>
      <span className="flex flex-wrap items-center gap-2">
        {withSecrets ? <Badge tone="warning">{t('dataManagement.archive.secrets')}</Badge> : null}
        <Badge tone={isEncrypted ? 'success' : 'neutral'}>
          {t(isEncrypted ? 'dataManagement.archive.encrypted' : 'dataManagement.archive.open')}
        </Badge>
      </span>
      <span className="flex gap-1">
        <IconButton
          label={t('dataManagement.archive.download', { time })}
          disabled={!mayTake || isOpening}
          onClick={() => void download()}
        >
          <Download />
        </IconButton>
        <IconButton
          label={t('dataManagement.archive.delete', { time })}
          disabled={!can('settings:manage')}
          onClick={() => void remove()}
        >
          <Trash2 />
        </IconButton>
      </span>
    </li>
  );
}

/** What the archive should hold and does not. */
function Missing({
  n,
  words,
}: {
  n: number;
  words: 'dataManagement.archive.missingFiles' | 'dataManagement.archive.lockedSecrets';
}) {
  if (n === 0) return null;
  return (
    <span className="flex items-start gap-1.5 text-sm text-warning">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(words, { n })}
    </span>
  );
}
