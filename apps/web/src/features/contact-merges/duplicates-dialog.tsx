import { formatPhone } from '@app/domain/contacts/format-phone';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { CheckCheck } from 'lucide-react';
import { Suspense, useState } from 'react';
import { orpc, type api } from '../../shared/api.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { formatList } from '../../shared/formats.ts';
import { notifyWithUndo } from '../../shared/undo.ts';
import { notify } from '../../ui/toast.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { LoadMore } from '../../ui/table/load-more.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';

const MergeDialog = lazyDialog(async () => (await import('./merge-dialog.tsx')).MergeDialog);

type Group = Awaited<ReturnType<typeof api.contactMerges.listDuplicates>>['items'][number];

const PAGE_SIZE = 25;

/** Contacts that may be one person, each group to be looked at and merged. */
export function DuplicatesDialog({ onClose }: { onClose: () => void }) {
  const list = useInfiniteQuery(
    orpc.contactMerges.listDuplicates.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: PAGE_SIZE, ...(cursor && { cursor }) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
      staleTime: 0,
    }),
  );
  const [merging, setMerging] = useState<Group>();
  const queryClient = useQueryClient();
  const setDistinct = useAction(orpc.contactMerges.setDistinct.mutationOptions());

  async function save(contactIds: string[], isDistinct: boolean) {
    try {
      await setDistinct.mutateAsync({ contactIds, isDistinct });
      if (isDistinct) notifyWithUndo(t('contacts.duplicateList.told'), () => save(contactIds, false));
    } catch (error) {
      notify.error(errorMessage(error));
    }
    await queryClient.invalidateQueries({ queryKey: orpc.contactMerges.key() });
  }

  const tellApart = ({ contacts }: Group) =>
    save(
      contacts.map(({ id }) => id),
      true,
    );
  const groups = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        size="large"
        title={t('contacts.duplicateList.title')}
        description={t('contacts.duplicateList.purpose')}
        footer={<Button onClick={onClose}>{t('common.close')}</Button>}
      >
        {list.isPending ? (
          <SkeletonRegion className="grid gap-3">
            {[1, 2, 3].map((line) => (
              <Skeleton key={line} className="h-24" />
            ))}
          </SkeletonRegion>
        ) : list.isError && !list.data ? (
          <ErrorState text={errorMessage(list.error)} onRetry={() => void list.refetch()} />
        ) : groups.length === 0 && !list.hasNextPage ? (
          <EmptyState
            icon={<CheckCheck />}
            title={t('contacts.duplicateList.none')}
            text={t('contacts.duplicateList.noneText')}
          />
        ) : (
          <ul className="grid gap-3">
            {groups.map((group) => (
              <li key={`${group.kind}:${group.key}`}>
                <DuplicateGroup
                  group={group}
                  onReview={() => setMerging(group)}
                  onDistinct={() => void tellApart(group)}
                />
              </li>
            ))}
          </ul>
        )}
        {list.hasNextPage ? (
          <LoadMore
            label={t('contacts.duplicateList.search')}
            loading={list.isFetchingNextPage}
            onReached={() => void list.fetchNextPage()}
          />
        ) : null}
      </Dialog>
      {merging ? (
        <Suspense>
          <MergeDialog
            contactIds={merging.contacts.map(({ id }) => id)}
            onMerged={() => void list.refetch()}
            onClose={() => setMerging(undefined)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function DuplicateGroup({
  group,
  onReview,
  onDistinct,
}: {
  group: Group;
  onReview: () => void;
  onDistinct: () => void;
}) {
  const { kind, key, contacts, total } = group;
  const more = total - contacts.length;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card border border-border px-4 py-3">
      <div className="min-w-48 flex-1">
        <p className="text-sm text-muted">
          {kind === 'phone'
            ? t('contacts.duplicateList.samePhone', { key: formatPhone(key) })
            : t('contacts.duplicateList.sameEmail', { key })}
        </p>
        <ul className="mt-1 grid gap-0.5">
          {contacts.map(({ id, name, phone }) => (
            <li key={id} className="flex flex-wrap gap-x-2">
              <span className="font-medium wrap-anywhere">{name}</span>
              <span className="text-muted tabular-nums">
                {phone ? formatPhone(phone) : t('contacts.hiddenNumber')}
              </span>
            </li>
          ))}
        </ul>
        {more > 0 ? (
          <p className="text-sm text-muted">{t('contacts.duplicateList.more', { n: more })}</p>
        ) : null}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          variant="ghost"
          aria-label={t('contacts.duplicateList.distinctOf', {
            names: formatList(
              contacts.map(({ name }) => name),
              'and',
            ),
          })}
          onClick={onDistinct}
        >
          {t('contacts.duplicateList.distinct')}
        </Button>
        <Button size="small" onClick={onReview}>
          {t('contacts.duplicateList.review')}
        </Button>
      </div>
    </div>
  );
}
