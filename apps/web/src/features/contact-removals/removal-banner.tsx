import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { undoRemoval, type Removal } from './bulk-removal.ts';

/** Stands above the list while many contacts are deleted or brought back, whoever began it. */
export function RemovalBanner() {
  const { data } = useQuery({
    ...orpc.contactRemovals.listOpen.queryOptions({ input: {} }),
    enabled: can('contacts:delete'),
    refetchInterval: (query) => (query.state.data?.items.length ? 1_000 : false),
  });
  return data?.items.map((removal) => <OpenRemoval key={removal.id} removal={removal} />);
}

function OpenRemoval({ removal }: { removal: Removal }) {
  const [isStopping, setStopping] = useState(false);
  const isRemoving = removal.state === 'removing';
  return (
    <div className="mb-4 flex flex-wrap items-center gap-4 rounded-card border border-border bg-raised px-4 py-3">
      <div className="min-w-48 flex-1">
        <Progress
          label={isRemoving ? t('contacts.bulk.deleting') : t('contacts.bulk.restoring')}
          done={isRemoving ? removal.removed : removal.restored}
          total={isRemoving ? removal.total : removal.removed}
        />
      </div>
      {isRemoving ? (
        <Button
          size="small"
          loading={isStopping}
          onClick={() => {
            setStopping(true);
            void undoRemoval(removal.id).finally(() => setStopping(false));
          }}
        >
          {t('contacts.bulk.stop')}
        </Button>
      ) : null}
    </div>
  );
}
