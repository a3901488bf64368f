import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText, Plus } from 'lucide-react';
import { useDeferredValue } from 'react';
import type { ConnectionKind } from '@app/domain/templates/platform-status';
import { useListRows, whileReachable } from '../../shared/offline/kept-rows.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/table/load-more.tsx';
import { CardGrid, Panel } from '../../ui/page-frame.tsx';
import { CardGridSkeleton, EmptyState, ErrorState } from '../../ui/states.tsx';
import { TemplateCard, type TemplateAct } from './template-card.tsx';
import { templateFailureText } from './template-words.ts';
import {
  findKeptTemplates,
  isSubmittable,
  listOptions,
  plainListOptions,
  type Template,
  type TemplatesSearch,
} from './templates-queries.ts';

export function TemplatesGrid({
  url,
  connection,
  onAct,
  onClear,
  onCreate,
}: {
  url: TemplatesSearch;
  connection: ConnectionKind;
  onAct: (act: TemplateAct, template: Template) => void;
  onClear: () => void;
  onCreate: () => void;
}) {
  const { category, status, sort } = url;
  // The keys stay ahead of the list: typing never waits for it.
  const search = useDeferredValue(url.search);
  const list = useInfiniteQuery({
    ...listOptions({ search, category, status, sort }),
    placeholderData: whileReachable,
  });
  const isFiltered = search !== '' || category !== 'all' || status !== 'all';
  const found = useListRows(list, plainListOptions.queryKey, (kept) =>
    findKeptTemplates(kept, { search, category, status, sort }),
  );
  if (found.status === 'loading') return <CardGridSkeleton hasPicture />;
  if (found.status === 'error')
    return (
      <Panel>
        <ErrorState text={templateFailureText(list.error)} onRetry={() => void list.refetch()} />
      </Panel>
    );
  const templates = found.rows;
  const note = <OfflineSearchNote searched={found.searched} />;
  if (templates.length === 0) {
    return (
      <>
        {note}
        <Panel>
          <NoTemplates isFiltered={isFiltered} onClear={onClear} onCreate={onCreate} />
        </Panel>
      </>
    );
  }
  return (
    <>
      {note}
      <CardGrid label={t('templates.list')}>
        {templates.map((template) => (
          <TemplateCard
            key={template.id}
            template={template}
            canSubmit={isSubmittable(template, connection)}
            onAct={onAct}
          />
        ))}
      </CardGrid>
      {list.hasNextPage ? (
        <LoadMore
          label={t('templates.loadMore')}
          loading={list.isFetchingNextPage}
          onReached={() => void list.fetchNextPage()}
        />
      ) : null}
    </>
  );
}

function NoTemplates({
  isFiltered,
  onClear,
  onCreate,
}: {
  isFiltered: boolean;
  onClear: () => void;
  onCreate: () => void;
}) {
  if (isFiltered)
    return (
      <EmptyState
        title={t('templates.empty')}
        text={t('templates.noMatch')}
        action={<Button onClick={onClear}>{t('templates.clearFilters')}</Button>}
      />
    );
  return can('templates:create') ? (
    <EmptyState
      title={t('templates.empty')}
      text={t('templates.emptyText')}
      icon={<FileText />}
      action={
        <Button variant="primary" icon={<Plus aria-hidden />} onClick={onCreate}>
          {t('templates.create')}
        </Button>
      }
    />
  ) : (
    <EmptyState title={t('templates.empty')} text={t('templates.emptyReadOnly')} icon={<FileText />} />
  );
}
