import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  CircleMinus,
  CirclePlus,
  FileUp,
  Megaphone,
  Merge,
  MessageSquare,
  Pencil,
  Reply,
  StickyNote,
  UserPlus,
} from 'lucide-react';
import { Suspense, useState, type ReactNode } from 'react';
import { orpc, type api } from '../../shared/api.ts';
import { describeActivity } from '../../shared/activity/activity-words.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatSaid } from '../../shared/contacts/consent-time.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyDetail } from '../../ui/load-file.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { mayMerge, useUndoMerge } from '../contact-merges/use-merge.ts';

const MessageOrigin = lazyDetail(
  async () => (await import('../../shared/automation/message-origin.tsx')).MessageOrigin,
);

type TimelineEvent = Awaited<ReturnType<typeof api.contacts.listTimeline>>['items'][number];

const icons: Record<TimelineEvent['kind'], ReactNode> = {
  added: <UserPlus />,
  imported: <FileUp />,
  changed: <Pencil />,
  message_in: <MessageSquare />,
  message_out: <Reply />,
  note: <StickyNote />,
  campaign: <Megaphone />,
  opt_in: <CirclePlus />,
  opt_out: <CircleMinus />,
  merged: <Merge />,
};

/** Their text is part of the title. */
const namedByTitle: ReadonlySet<TimelineEvent['kind']> = new Set(['campaign', 'imported', 'merged']);

export function TimelinePanel({ contactId }: { contactId: string }) {
  const timeline = useInfiniteQuery(
    orpc.contacts.listTimeline.infiniteOptions({
      input: (cursor: string | undefined) => ({ contactId, limit: 30, ...(cursor && { cursor }) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
  );
  const events = timeline.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Panel title={t('contacts.timeline.title')} purpose={t('contacts.timeline.purpose')}>
      {timeline.isPending ? (
        <SkeletonRegion className="grid gap-4">
          {[1, 2, 3].map((line) => (
            <Skeleton key={line} className="h-10" />
          ))}
        </SkeletonRegion>
      ) : null}
      {timeline.isError ? (
        <ErrorState text={errorMessage(timeline.error)} onRetry={() => void timeline.refetch()} />
      ) : null}
      <ol className="grid gap-4">
        {events.map((event) => (
          <li key={event.id} className="flex gap-3">
            <span
              aria-hidden
              className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-muted [&_svg]:size-4"
            >
              {icons[event.kind]}
            </span>
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <EventTitle event={event} />
                <time dateTime={event.at} className="text-sm text-muted">
                  {formatSaid(event.at)}
                </time>
              </p>
              {event.text && !namedByTitle.has(event.kind) ? (
                <p className="mt-0.5 line-clamp-4 wrap-anywhere whitespace-pre-line text-muted">
                  {event.text}
                </p>
              ) : null}
              {event.workflowMessageId && can('campaigns:read') ? (
                <WhyMessage messageId={event.workflowMessageId} />
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {timeline.hasNextPage ? (
        <Button
          size="small"
          className="mt-4"
          loading={timeline.isFetchingNextPage}
          onClick={() => void timeline.fetchNextPage()}
        >
          {t('contacts.timeline.more')}
        </Button>
      ) : null}
    </Panel>
  );
}

function EventTitle({ event }: { event: TimelineEvent }) {
  if (event.kind === 'campaign') {
    const name = event.text || t('contacts.timeline.deletedCampaign');
    return (
      <>
        <span className="font-medium">
          {event.campaignId ? (
            <Link to={paths.campaign(event.campaignId)} className="text-primary-text underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </span>
        <Badge tone={event.detail === 'failed' ? 'danger' : event.detail === 'read' ? 'success' : 'neutral'}>
          {outcomeLabel(event.detail)}
        </Badge>
      </>
    );
  }
  if (event.fact) {
    return (
      <>
        <span className="wrap-anywhere">
          {event.detail ? <span className="font-medium">{event.detail} </span> : null}
          {describeActivity({ fact: event.fact, description: null })}
        </span>
        <UndoMerge mergeId={event.mergeId} />
      </>
    );
  }
  // These are told by their facts alone.
  if (event.kind === 'changed' || event.kind === 'merged') return null;
  const label =
    event.kind === 'imported' && event.text
      ? t('contacts.timeline.importedFrom', { file: event.text })
      : event.kind === 'note'
        ? t('contacts.timeline.note', { name: event.detail ?? '' })
        : event.kind === 'opt_in' && (event.detail === 'form' || event.detail === 'bot')
          ? t(`contacts.timeline.opt_in.${event.detail}`)
          : t(`contacts.timeline.${event.kind}`);
  return <span className="font-medium">{label}</span>;
}

function UndoMerge({ mergeId }: { mergeId: string | null }) {
  const { undo, isUndoing } = useUndoMerge();
  if (!mergeId || !mayMerge()) return null;
  return (
    <Button size="small" loading={isUndoing} onClick={() => void undo(mergeId)}>
      {t('contacts.merge.undo')}
    </Button>
  );
}

const outcomes = ['pending', 'sent', 'delivered', 'read', 'failed', 'cancelled', 'unknown'] as const;

function outcomeLabel(detail: string | null): string {
  return t(`contacts.outcome.${outcomes.find((outcome) => outcome === detail) ?? 'unknown'}`);
}

/** Why the contact got a message that a workflow sent; read when the user asks for it. */
function WhyMessage({ messageId }: { messageId: string }) {
  const [isAsked, setAsked] = useState(false);
  if (!isAsked)
    return (
      <Button size="small" variant="ghost" className="-ml-2" onClick={() => setAsked(true)}>
        {t('contacts.timeline.whyMessage')}
      </Button>
    );
  return (
    <div className="mt-1 rounded-card bg-sunken px-3 py-2">
      <Suspense fallback={<Skeleton className="h-12" />}>
        <MessageOrigin messageId={messageId} />
      </Suspense>
    </div>
  );
}
