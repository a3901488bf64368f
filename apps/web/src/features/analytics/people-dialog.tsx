import {
  isMessageMetric,
  NO_CODE,
  readReportPeople,
  type ReportPeople,
} from '@app/domain/analytics/report-filter';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bookmark, MessageSquare, Users } from 'lucide-react';
import { Suspense, useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { handPeople } from '../../shared/contacts/handed-people.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can, useSession } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { useMessages } from '../../shared/use-messages.ts';
import { LoadMore } from '../../ui/table/load-more.tsx';
import { failureWords, handoffWords, sourceWords } from './reason-words.ts';
import { periodText } from './period-text.ts';

const PAGE_SIZE = 50;

/** Its words are those of contacts. */
const SaveSegment = lazyDialog(async () => {
  const [{ SaveSegmentDialog }] = await Promise.all([
    import('../contacts/list/save-segment-dialog.tsx'),
    loadMessages('contacts'),
  ]);
  return SaveSegmentDialog;
});

/** They can be seen; a message to all of them would be marketing to people who said no. */
function haveOptedOut({ metric }: ReportPeople): boolean {
  return metric === 'optedOut' || metric === 'optOuts';
}

function descriptionOf(people: ReportPeople): string {
  if (people.metric === 'waiting') return t('analyticsPeople.now');
  const days = periodText(people);
  const detail = detailOf(people);
  return detail === null ? days : `${days} · ${detail}`;
}

/** In the words of the page that shows the number, as far as they are there. */
function detailOf({ metric, reason, source }: ReportPeople): string | null {
  if (source !== undefined) return sourceWords(metric, source);
  if (reason === undefined) return null;
  const words = metric === 'failed' ? failureWords(reason === NO_CODE ? null : reason) : handoffWords(reason);
  return t('analyticsPeople.reason', { reason: words });
}

type Props = {
  /** As the address says it. */
  people: string;
  /** What the page is narrowed to beside. */
  tag: string;
  segment: string;
  onClose: () => void;
};

/** The people behind a number, page by page, and what can be done with them. */
export function PeopleDialog({ people: text, ...props }: Props) {
  const people = readReportPeople(text);
  return people ? <People {...props} text={text} people={people} /> : null;
}

function People({
  text,
  people,
  tag,
  segment,
  onClose,
}: Omit<Props, 'people'> & { text: string; people: ReportPeople }) {
  const navigate = useNavigate();
  const session = useSession();
  const isSample = session.status === 'signed-in' && session.workspace.isSample;
  useMessages('deliveries', people.metric === 'failed' && people.reason !== undefined);
  useMessages('chatbot', people.metric === 'handedOver' && people.reason !== undefined);
  const [isSaving, setSaving] = useState(false);
  const filter = { report: text, ...(tag && { tag }), ...(segment && { segment }) };
  const count = useQuery(orpc.contacts.count.queryOptions({ input: filter })).data?.count;
  const list = useInfiniteQuery(
    orpc.contacts.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...filter, ...(cursor && { cursor }), limit: PAGE_SIZE }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
  );
  const segments = useQuery({
    ...orpc.segments.list.queryOptions({ input: {} }),
    enabled: segment !== '',
  }).data?.items;
  const found = list.data?.pages.flatMap(({ items }) => items);
  const isSomebody = found !== undefined && found.length > 0;
  const ofSegment = segments?.find(({ id }) => id === segment);
  return (
    <>
      <Dialog
        open
        onOpenChange={(open) => {
          if (!open) onClose();
        }}
        title={t(`analyticsPeople.of.${people.metric}`)}
        description={descriptionOf(people)}
        footer={
          isSomebody ? (
            <>
              {tag || segment ? null : (
                <Button
                  icon={<Users aria-hidden />}
                  onClick={() => void navigate({ to: paths.contacts, search: { filter: `report:${text}` } })}
                >
                  {t('analyticsPeople.view')}
                </Button>
              )}
              {can('contacts:update') && can('contacts:create') ? (
                <Button icon={<Bookmark aria-hidden />} onClick={() => setSaving(true)}>
                  {t('analyticsPeople.segment')}
                </Button>
              ) : null}
              {can('messages:create') &&
              can('campaigns:create') &&
              !haveOptedOut(people) &&
              (segment === '' || ofSegment) ? (
                <Button
                  variant="primary"
                  icon={<MessageSquare aria-hidden />}
                  onClick={() => {
                    handPeople({ choice: { filter }, segment: ofSegment });
                    void navigate({ to: paths.bulkMessage });
                  }}
                >
                  {t('analyticsPeople.write')}
                </Button>
              ) : null}
            </>
          ) : undefined
        }
      >
        {list.error && !found ? (
          <ErrorState text={errorMessage(list.error)} onRetry={() => void list.refetch()} />
        ) : found === undefined ? (
          <SkeletonRegion>
            <Skeleton className="h-64 w-full" />
          </SkeletonRegion>
        ) : isSomebody ? (
          <>
            <p className="font-medium">
              {count === undefined ? '' : t('analyticsPeople.count', { n: count })}
            </p>
            <p className="text-sm text-muted">
              {t(
                isMessageMetric(people.metric)
                  ? 'analyticsPeople.why.messages'
                  : 'analyticsPeople.why.people',
              )}
              {haveOptedOut(people) ? ` ${t('analyticsPeople.optedOut')}` : null}
            </p>
            <ul className="mt-3 divide-y divide-border border-y border-border">
              {found.map(({ id, name, phone }) => (
                <li key={id}>
                  <Link
                    to={paths.contact(id)}
                    className="flex items-baseline justify-between gap-3 px-1 py-2 hover:bg-hover"
                  >
                    <bdi className="min-w-0 truncate font-medium">{name}</bdi>
                    <span className="shrink-0 text-sm text-muted tabular-nums">{phone}</span>
                  </Link>
                </li>
              ))}
            </ul>
            {list.hasNextPage ? (
              <LoadMore
                label={t('analyticsPeople.more')}
                loading={list.isFetchingNextPage}
                onReached={() => void list.fetchNextPage()}
              />
            ) : null}
          </>
        ) : (
          <EmptyState
            icon={<Users aria-hidden />}
            title={t(isSample ? 'analyticsPeople.sample' : 'analyticsPeople.none')}
            text={t(isSample ? 'analyticsPeople.sampleHint' : 'analyticsPeople.noneHint')}
          />
        )}
      </Dialog>
      {isSaving ? (
        <Suspense>
          <SaveSegment
            count={count ?? 0}
            choice={{ filter }}
            onSaved={(id) => void navigate({ to: paths.contacts, search: { filter: `segment:${id}` } })}
            onClose={() => setSaving(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
