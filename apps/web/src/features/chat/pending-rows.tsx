import { CircleAlert, Clock } from 'lucide-react';
import { MessageLine } from '../../shared/conversations/message-line.tsx';
import { formatBytes, formatTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import type { OutboxItem } from '../../shared/outbox/outbox-items.ts';
import { sayState } from '../../shared/outbox/outbox-words.ts';
import type { ConversationOutbox } from '../../shared/outbox/use-outbox.ts';
import { Button } from '../../ui/button.tsx';
import { MarkedBlocks } from './parts/marked-blocks.tsx';

/**
 * What was written and is not at the server yet, below everything that is; what waits for its time stands where such things stand. `known`: the
 * messages of the list, by their ids and by those under which they were sent, so that one whose answer was lost does not stand there twice.
 */
export function PendingRows({ outbox, known }: { outbox: ConversationOutbox; known: ReadonlySet<string> }) {
  return outbox.items
    .filter(
      ({ id, messageId, content, state }) =>
        !known.has(id) &&
        !(messageId && known.has(messageId)) &&
        (state === 'failed' || !isElsewhere(content)),
    )
    .map((item) => <PendingRow key={item.id} item={item} outbox={outbox} />);
}

/** A reaction shows on its message when it is there, and what is for later in its own list; unless they failed. */
function isElsewhere(content: OutboxItem['content']): boolean {
  return 'reaction' in content || ('sendAt' in content && content.sendAt !== undefined);
}

function PendingRow({ item, outbox }: { item: OutboxItem; outbox: ConversationOutbox }) {
  const isFailed = item.state === 'failed';
  return (
    <article
      data-item={item.id}
      aria-label={`${t('chat.you')}: ${sayState(item)}`}
      className="flex justify-end px-3 pb-2 md:px-6"
    >
      <div className="max-w-[min(36rem,88%)] min-w-16 rounded-lg rounded-te-none bg-bubble-own px-2.5 pt-1.5 pb-1 text-bubble-text shadow-xs">
        <PendingBody content={item.content} />
        {item.state === 'uploading' ? (
          <progress
            className="mt-1 block h-1 w-full"
            max={1}
            value={item.progress ?? 0}
            aria-label={sayState(item)}
          />
        ) : null}
        {isFailed ? (
          <div className="-mx-1 mt-1 rounded-md bg-danger-soft px-2 py-1.5 text-sm text-danger">
            <p className="flex items-start gap-1.5">
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {sayState(item)}
            </p>
            <span className="mt-1.5 flex flex-wrap gap-1.5">
              <Button size="small" onClick={() => void outbox.retry(item.id)}>
                {t('outbox.retry')}
              </Button>
              <Button size="small" variant="danger-ghost" onClick={() => void outbox.discard(item.id)}>
                {t('outbox.discard')}
              </Button>
            </span>
          </div>
        ) : null}
        <p className="mt-0.5 flex items-center justify-end gap-1 text-xs text-bubble-muted tabular-nums">
          <time dateTime={new Date(item.at).toISOString()}>{formatTime(item.at)}</time>
          <Clock aria-hidden className="size-3.5" />
          <span className="sr-only">{sayState(item)}</span>
        </p>
      </div>
    </article>
  );
}

function PendingBody({ content }: { content: OutboxItem['content'] }) {
  if ('text' in content) return <MarkedBlocks text={content.text} />;
  if ('file' in content) {
    const { file, name, caption } = content.file;
    return (
      <>
        <p className="min-w-0">
          <bdi className="block truncate font-medium">{name}</bdi>
          {file instanceof Blob ? (
            <span className="text-sm text-bubble-muted">{formatBytes(file.size)}</span>
          ) : null}
        </p>
        {caption ? <MarkedBlocks text={caption} /> : null}
      </>
    );
  }
  if ('interactive' in content) return <MarkedBlocks text={content.interactive.body} />;
  if ('reaction' in content) return <p>{content.reaction.emoji}</p>;
  if ('templateId' in content) return <MessageLine type="template" text={null} />;
  return (
    <MessageLine
      type={'contacts' in content ? 'contacts' : 'location'}
      text={null}
      content={'contacts' in content ? content : { location: { latitude: 0, longitude: 0 } }}
    />
  );
}
