import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { StartDialog } from './start-dialog.tsx';

/** Only where the workspace is the sample: what it is, and how a business begins. */
export function StartForReal({ mayManage }: { mayManage: boolean }) {
  const session = useSession();
  const [isAsking, setAsking] = useState(false);
  const hasWords = [useMessages('auth'), useMessages('account-access')].every(Boolean);
  if (session.status !== 'signed-in' || !session.workspace.isSample) return null;
  return (
    <Panel title={t('dataManagement.sample.title')} purpose={t('dataManagement.sample.hint')}>
      <Button
        variant="primary"
        icon={<Rocket />}
        disabled={!mayManage || !hasWords}
        onClick={() => setAsking(true)}
      >
        {t('dataManagement.sample.act')}
      </Button>
      {isAsking ? <StartDialog user={session.user} onClose={() => setAsking(false)} /> : null}
    </Panel>
  );
}
