import { useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { LiveTopic } from '@app/domain/live/live-topics';
import { onLiveEvent, type LivePayload } from './live-events.ts';

export interface LiveOptions {
  /** Switched off, nothing is read because of an event. */
  isOn?: boolean | undefined;
  /** Whether an event is about what is shown; every one is unless said otherwise. */
  concerns?: ((payload: LivePayload) => boolean) | undefined;
}

/**
 * Keeps what is read under these keys true while the component is shown: read anew after events of the topics and after events
 * that were missed. `ServerDataClient` sees to it that a row of events is read now and then, and a single one at once.
 */
export function useLiveQuery(
  topics: readonly LiveTopic[],
  keys: readonly QueryKey[],
  { isOn = true, concerns = () => true }: LiveOptions = {},
): void {
  const queryClient = useQueryClient();
  const latest = useRef({ keys, concerns });
  useEffect(() => {
    latest.current = { keys, concerns };
  });
  const names = topics.join(' ');
  useEffect(() => {
    if (!isOn || names === '') return undefined;
    const wanted = new Set(names.split(' '));
    return onLiveEvent(({ topic, payload }) => {
      if (topic !== 'resync' && !(wanted.has(topic) && latest.current.concerns(payload))) return;
      for (const queryKey of latest.current.keys) void queryClient.invalidateQueries({ queryKey });
    });
  }, [queryClient, names, isOn]);
}
