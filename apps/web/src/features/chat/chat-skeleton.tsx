import { ConversationHeadSkeleton } from '../../shared/conversations/open-conversation.tsx';
import { Skeleton, SkeletonRegion } from '../../ui/states.tsx';

const widths = ['w-48', 'w-72', 'w-40', 'w-64', 'w-56'];

/** In the shape of a chat, while it is on its way. */
export function ChatSkeleton() {
  return (
    <SkeletonRegion className="flex min-h-0 flex-1 flex-col justify-end gap-3 overflow-hidden bg-chat px-3 py-4 md:px-6">
      {widths.map((width, index) => (
        <Skeleton
          key={width}
          className={`h-11 max-w-[80%] rounded-lg ${width} ${index % 2 === 0 ? '' : 'self-end'}`}
        />
      ))}
    </SkeletonRegion>
  );
}

/** The place of a whole chat: its head, what was said, and where one answers. */
export function ChatPlace() {
  return (
    <div className="isolate flex min-h-0 min-w-0 flex-1 flex-col">
      <header className="flex min-h-14 shrink-0 items-center border-b border-border bg-raised px-3 py-2">
        <ConversationHeadSkeleton />
      </header>
      <ChatSkeleton />
    </div>
  );
}
