import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { api, readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { downloadWhenReady } from '../../shared/operations/download-operation.ts';
import type { Operation } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { ArchivesPanel } from './archives-panel.tsx';
import { BackupsPanel } from './backups-panel.tsx';
import { ClearData } from './clear-data.tsx';
import { ImportData } from './import-data.tsx';
import { RetentionPanel } from './retention-panel.tsx';
import { StartForReal } from './start-for-real.tsx';
import { dataOptions } from './data-queries.ts';

/** All data out, in again, and gone. */
export function DataTab() {
  const isReady = [useMessages('data-management'), useMessages('operations')].every(Boolean);
  if (!isReady) return <Skeleton className="h-24" />;
  const mayManage = can('settings:manage');
  return (
    <div className="flex flex-col gap-4">
      <StartForReal mayManage={mayManage && can('users:delete')} />
      <ExportData mayManage={mayManage} />
      <ImportData mayManage={mayManage} />
      <ArchivesPanel />
      {mayManage ? <BackupsPanel /> : null}
      <RetentionPanel />
      <ClearData mayManage={mayManage} />
    </div>
  );
}

function ExportData({ mayManage }: { mayManage: boolean }) {
  const { data } = useQuery({ ...dataOptions(), enabled: mayManage });
  const [isBeginning, setBeginning] = useState(false);
  const begin = async () => {
    setBeginning(true);
    try {
      void tellWhenReady(downloadWhenReady(await api.dataManagement.startExport({})));
    } catch (error) {
      const wasRefused = ['password_needed', 'FORBIDDEN'].includes(readFailure(error).code);
      notify.error(wasRefused ? errorMessage(error) : t('dataManagement.export.failed'));
    } finally {
      setBeginning(false);
    }
  };
  return (
    <Panel title={t('dataManagement.export.title')} purpose={t('dataManagement.export.hint')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button icon={<Download />} loading={isBeginning} disabled={!mayManage} onClick={() => void begin()}>
          {t('dataManagement.export.act')}
        </Button>
        {data ? <p className="text-sm text-muted">{t('dataManagement.holds', data)}</p> : null}
      </div>
    </Panel>
  );
}

async function tellWhenReady(ending: Promise<Operation | null>): Promise<void> {
  const operation = await ending;
  if (operation?.file) notify.success(t('dataManagement.export.done'));
  else if (operation?.state !== 'cancelled') notify.error(t('dataManagement.export.failed'));
}
