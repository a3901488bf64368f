import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { followAct } from '../../shared/long-acts/follow-act.ts';
import { isActOver, type LongAct } from '../../shared/long-acts/long-acts.ts';
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
      const act = await api.dataManagement.clear({ name: typed });
      if (!isActOver(act)) notify.success(t('dataManagement.clear.begun'));
      void tellWhenCleared(act);
      onClose();
    } catch (error) {
      notify.error(failureText(error));
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

async function tellWhenCleared(begun: LongAct): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  const act = isActOver(begun) ? begun : await followAct(begun.id);
  await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
  if (act?.state === 'done') notify.success(t('dataManagement.clear.done'));
}
