import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, FileText, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { shownStatus, statusFromPlatform } from '@app/domain/templates/platform-status';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { languageName } from '../../shared/contacts/contact-languages.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { findText, t } from '../../shared/messages.ts';
import { refusalOf, refusalText } from '../../shared/languages/refusal-text.ts';
import { can } from '../../shared/session.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner, EmptyState, ErrorState, Skeleton, type BannerTone } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

type AccountTemplate = Awaited<ReturnType<typeof api.templates.listAccount>>['items'][number];
type Sync = Awaited<ReturnType<typeof api.templates.getSync>>;

const failureOf = errorMessageOf({
  template_refused: (values) => t('connection.refused', { reason: refusalOf(values) }),
  channel_not_connected: 'connection.status.offText',
});

/**
 * Whether our templates and those of the account are the same, and what is to be done where they are not. The account is that of the default number, which is
 * said where another one is chosen.
 */
export function TemplatesPart({ isOfAnother }: { isOfAnother: boolean }) {
  useMessages('templates');
  useMessages('deliveries');
  const queryClient = useQueryClient();
  const account = useQuery({ ...orpc.templates.listAccount.queryOptions({ input: {} }), retry: false });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: orpc.templates.key() });
  };
  const take = useAction({
    mutationFn: (platformIds: string[]) => api.templates.importFromAccount({ platformIds }),
    onSuccess: async ({ imported }) => {
      notify.success(t('connection.templates.imported', { n: imported }));
      setChosen(new Set());
      await refresh();
    },
    onError: (error) => notify.error(failureOf(error)),
  });
  const items = account.data?.items ?? [];
  const differing = items.filter(({ difference }) => difference !== 'none');
  const takeable = items.flatMap(({ difference, obstacle, platformId }) =>
    difference === 'missing_here' && obstacle === null && platformId !== null ? [platformId] : [],
  );
  const picked = takeable.filter((id) => chosen.has(id));
  const mayTake = can('templates:create');
  return (
    <Panel
      title={t('connection.tab.templates')}
      purpose={
        account.data &&
        // An account may have no name of its own.
        t('connection.templates.purpose', { name: account.data.accountName || account.data.number })
      }
    >
      <div className="flex flex-col gap-4">
        {isOfAnother && account.data ? (
          <Banner tone="info">{t('connection.templates.ofDefault', { number: account.data.number })}</Banner>
        ) : null}
        <SyncState onSynced={refresh} />
        {account.error && !account.data ? (
          <ErrorState text={failureOf(account.error)} onRetry={() => void account.refetch()} />
        ) : null}
        {account.isPending ? <Skeleton className="h-16" /> : null}
        {account.data && differing.length === 0 ? (
          <EmptyState
            icon={<FileText aria-hidden />}
            title={t('connection.templates.same')}
            text={t('connection.templates.sameText', { n: items.length })}
          />
        ) : null}
        {differing.length > 0 ? (
          <>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="text-sm text-muted" role="status">
                {t('connection.templates.found', { n: differing.length, all: items.length })}
              </p>
              {mayTake && takeable.length > 0 ? (
                <div className="flex flex-wrap gap-2">
                  <Button
                    variant={picked.length === 0 ? 'secondary' : 'primary'}
                    icon={<Download aria-hidden />}
                    disabled={picked.length === 0}
                    loading={take.isPending && picked.length > 0}
                    onClick={() => take.mutate(picked)}
                  >
                    {t('connection.templates.importChosen', { n: picked.length })}
                  </Button>
                  <Button
                    variant={picked.length === 0 ? 'primary' : 'secondary'}
                    disabled={take.isPending}
                    onClick={() => take.mutate(takeable)}
                  >
                    {t('connection.templates.importAll', { n: takeable.length })}
                  </Button>
                </div>
              ) : null}
            </div>
            <ul
              aria-label={t('connection.tab.templates')}
              className="divide-y divide-border border-y border-border"
            >
              {differing.map((item) => (
                <TemplateRow
                  key={item.templateId ?? item.platformId}
                  item={item}
                  isChosen={item.platformId !== null && chosen.has(item.platformId)}
                  onChoose={
                    mayTake && item.platformId !== null && takeable.includes(item.platformId)
                      ? (isOn) => setChosen(withId(chosen, item.platformId ?? '', isOn))
                      : undefined
                  }
                />
              ))}
            </ul>
          </>
        ) : null}
      </div>
    </Panel>
  );
}

const syncTones: Record<Sync['state'], BannerTone> = {
  none: 'info',
  running: 'info',
  done: 'success',
  failed: 'danger',
};

function SyncState({ onSynced }: { onSynced: () => Promise<void> }) {
  const { data } = useQuery({
    ...orpc.templates.getSync.queryOptions({ input: {} }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 2_000 : 60_000),
  });
  const sync = useAction({
    ...orpc.templates.sync.mutationOptions(),
    onSuccess: ({ checked, changed }) =>
      notify.success(t('connection.templates.synced', { checked, changed })),
    onError: (error) => notify.error(failureOf(error)),
    onSettled: () => onSynced(),
  });
  if (!data) return null;
  const state = sync.isPending ? 'running' : data.state;
  return (
    <Banner
      tone={syncTones[state]}
      action={
        can('templates:update') ? (
          <Button
            size="small"
            icon={<RefreshCw aria-hidden />}
            loading={sync.isPending}
            onClick={() => sync.mutate({})}
          >
            {t('connection.templates.sync')}
          </Button>
        ) : undefined
      }
    >
      {t(`connection.templates.sync.${state}`, {
        time: data.at === null ? '' : formatDateTime(data.at),
        reason:
          data.reason === null
            ? t('connection.problem.platform_away')
            : refusalText(data.code ?? '', data.reason),
      })}
    </Banner>
  );
}

const tones: Record<AccountTemplate['difference'], BadgeTone> = {
  none: 'success',
  missing_there: 'warning',
  missing_here: 'primary',
  changed: 'warning',
};

function TemplateRow({
  item,
  isChosen,
  onChoose,
}: {
  item: AccountTemplate;
  isChosen: boolean;
  /** Left out where nothing can be taken over. */
  onChoose: ((isOn: boolean) => void) | undefined;
}) {
  const { name, language, status, difference, parts, obstacle, needsFile } = item;
  const title = <span className="font-medium wrap-anywhere">{name}</span>;
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex flex-wrap items-center gap-2">
        {onChoose ? (
          <Checkbox label={title} checked={isChosen} onChange={({ target }) => onChoose(target.checked)} />
        ) : (
          title
        )}
        <span className="text-sm text-muted">{languageName(language)}</span>
        <Badge tone={tones[difference]}>{t(`connection.templates.${difference}`)}</Badge>
        {status === null ? null : <Badge tone={statusTone(status)}>{statusText(status)}</Badge>}
      </div>
      {parts.length > 0 ? (
        <p className="text-sm text-muted">
          {t('connection.templates.differs', {
            parts: parts.map((part) => t(`connection.templates.part.${part}`)).join(', '),
          })}
        </p>
      ) : null}
      {needsFile ? (
        <p className={classNames('text-sm text-muted', onChoose && 'pl-7')}>
          {t('connection.templates.needsFile')}
        </p>
      ) : null}
      {obstacle === null ? null : (
        <p className="text-sm text-muted">{t(`connection.templates.obstacle.${obstacle}`)}</p>
      )}
    </li>
  );
}

function statusTone(platformStatus: string): BadgeTone {
  const standing = statusFromPlatform(platformStatus);
  return standing === 'approved' ? 'success' : standing === 'rejected' ? 'danger' : 'neutral';
}

/** As the list of templates says it; a word of the platform that is new to us stays as it spells it. */
function statusText(platformStatus: string): string {
  const standing = statusFromPlatform(platformStatus);
  if (standing === null) return platformStatus;
  const shown = shownStatus({ status: 'approved', standing, platformStatus });
  return findText(`templates.${shown}`) ?? findText(`templates.shown.${shown}`) ?? platformStatus;
}

function withId(before: ReadonlySet<string>, id: string, isOn: boolean): ReadonlySet<string> {
  const next = new Set(before);
  if (isOn) next.add(id);
  else next.delete(id);
  return next;
}
