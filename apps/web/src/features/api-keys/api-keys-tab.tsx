import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { readOneOf, useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { allKeysOptions, keyKeys, ownKeysOptions, type ApiKey } from './api-keys-queries.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyRow } from './key-row.tsx';
import { keyErrorMessage } from './key-words.ts';
import { RenameKeyDialog } from './rename-key-dialog.tsx';

/** Keys with which programs call in one's own name, and for those who look after the workspace everybody's. */
export function ApiKeysTab() {
  const hasWords = useMessages('api-keys');
  useLiveQuery(['api-keys'], keyKeys());
  useSession();
  if (!hasWords) return <Skeleton className="h-24" />;
  return (
    <div className="flex flex-col gap-4">
      <OwnKeys />
      {can('settings:read') ? <KeysOfOthers /> : null}
    </div>
  );
}

function OwnKeys() {
  const { data, error, refetch } = useQuery(ownKeysOptions());
  const [{ keyDialog }, setUrl] = useUrlState((search) => ({
    keyDialog: readOneOf(search, 'keyDialog', ['', 'new'] as const),
  }));
  const [renamed, setRenamed] = useState<ApiKey | null>(null);
  const begin = () => setUrl({ keyDialog: 'new' }, { push: true });
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden />} onClick={begin}>
      {t('apiKeys.create')}
    </Button>
  );
  return (
    <Panel
      title={t('apiKeys.title')}
      purpose={
        <>
          {t('apiKeys.purpose')}{' '}
          <a href="/api/docs" target="_blank" rel="noreferrer" className="text-primary underline">
            {t('apiKeys.reference')}
          </a>
        </>
      }
      flush
      actions={data && data.items.length > 0 ? create : undefined}
    >
      {error && !data ? <ErrorState text={keyErrorMessage(error)} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton className="mx-5 mb-4 h-12" /> : null}
      {data?.items.length === 0 ? (
        <EmptyState
          icon={<KeyRound aria-hidden />}
          title={t('apiKeys.empty')}
          text={t('apiKeys.emptyText')}
          action={create}
        />
      ) : null}
      <ul aria-label={t('apiKeys.title')} className="mt-3">
        {data?.items.map((key) => (
          <KeyRow key={key.id} apiKey={key} onRename={() => setRenamed(key)} />
        ))}
      </ul>
      {keyDialog === 'new' ? <CreateKeyDialog onClose={() => setUrl({ keyDialog: undefined })} /> : null}
      {renamed ? <RenameKeyDialog apiKey={renamed} onClose={() => setRenamed(null)} /> : null}
    </Panel>
  );
}

/** Nothing where nobody else has a key. */
function KeysOfOthers() {
  const { user } = useSession();
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(allKeysOptions());
  const keys = data?.pages.flatMap(({ items }) => items).filter(({ owner }) => owner.id !== user?.id) ?? [];
  if (keys.length === 0 && !hasNextPage) return null;
  return (
    <Panel title={t('apiKeys.others')} purpose={t('apiKeys.othersPurpose')} flush>
      <ul aria-label={t('apiKeys.others')} className="mt-3">
        {keys.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </ul>
      {hasNextPage ? (
        <div className="flex justify-center border-t border-border py-3">
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('apiKeys.more')}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}
