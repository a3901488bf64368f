import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { followOperation } from '../../shared/operations/follow-operation.ts';
import { isOperationOver, type Operation } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { BusinessNameField } from './business-name-field.tsx';
import { dataOptions } from './data-queries.ts';

/** Everything goes, once somebody has typed the name of the business. */
export function ClearData({ mayManage }: { mayManage: boolean }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title={t('dataManagement.clear.title')} purpose={t('dataManagement.clear.hint')}>
      <Button variant="danger" icon={<Trash2 />} disabled={!mayManage} onClick={() => setAsking(true)}>
        {t('dataManagement.clear.act')}
      </Button>
      {isAsking ? <ClearDialog onClose={() => setAsking(false)} /> : null}
    </Panel>
  );
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(dataOptions());
  const [typed, setTyped] = useState('');
  const [isClearing, setClearing] = useState(false);
  const isRight = data !== undefined && typed.trim() === data.name;
  const clear = async () => {
    if (!isRight || isClearing) return;
    setClearing(true);
    try {
      const operation = await api.dataManagement.clear({ name: typed });
      if (!isOperationOver(operation)) notify.success(t('dataManagement.clear.begun'));
      void tellWhenCleared(operation);
      onClose();
    } catch (error) {
      notify.error(errorMessage(error));
      setClearing(false);
    }
  };
  return (
    <FormDialog
      title={t('dataManagement.clear.title')}
      description={t('dataManagement.clear.question')}
      submitLabel={t('dataManagement.clear.act')}
      buttons={
        <Button variant="danger" disabled={!isRight} loading={isClearing} onClick={() => void clear()}>
          {t('dataManagement.clear.act')}
        </Button>
      }
      onClose={onClose}
      onSubmit={() => void clear()}
    >
      {data ? (
        <>
          <p className="text-muted">{t('dataManagement.holds', data)}</p>
          <BusinessNameField name={data.name} typed={typed} onType={setTyped} />
        </>
      ) : null}
    </FormDialog>
  );
}

async function tellWhenCleared(begun: Operation): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  const operation = isOperationOver(begun) ? begun : await followOperation(begun.id);
  await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
  if (operation?.state === 'done') notify.success(t('dataManagement.clear.done'));
}
