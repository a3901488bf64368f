import { useQuery } from '@tanstack/react-query';
import { UserX } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { readFailure } from '../api.ts';
import { errorMessage } from '../error-message.ts';
import { useLiveQuery } from '../live/use-live-query.ts';
import { t } from '../messages.ts';
import { conversationOptions } from './conversations-queries.ts';

/** One conversation, kept true by the events that concern it. */
export function useOpenConversation(conversationId: string) {
  const options = conversationOptions(conversationId);
  const query = useQuery(options);
  useLiveQuery(['messages', 'contacts'], [options.queryKey], {
    concerns: ({ conversationIds }) =>
      !Array.isArray(conversationIds) ||
      conversationIds.length === 0 ||
      conversationIds.includes(conversationId),
  });
  return query;
}

/** In place of a conversation that is not there any more, or could not be read. */
export function ConversationFailure({
  error,
  onBack,
  onRetry,
}: {
  error: unknown;
  onBack: () => void;
  onRetry: () => void;
}) {
  const isMissing = ['conversation_not_found', 'invalid_input'].includes(readFailure(error).code);
  return isMissing ? (
    <EmptyState
      icon={<UserX />}
      title={t('inbox.gone')}
      className="flex-1"
      action={<Button onClick={onBack}>{t('inbox.backToList')}</Button>}
    />
  ) : (
    <ErrorState className="flex-1" text={errorMessage(error)} onRetry={onRetry} />
  );
}

/** The head of a conversation until it is there. */
export function ConversationHeadSkeleton() {
  return (
    <SkeletonRegion className="flex flex-1 items-center gap-3">
      <Skeleton className="size-8 rounded-full" />
      <Skeleton className="w-40" />
    </SkeletonRegion>
  );
}
