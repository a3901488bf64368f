import { titleOfKind } from '@app/domain/channel-kinds/kind-list';
import { useQuery } from '@tanstack/react-query';
import { orpc, type api } from '../api.ts';

type Channel = Awaited<ReturnType<typeof api.channels.list>>['items'][number];
/** `short` tells it from the others of the workspace; `full` has its kind and its own name. */
export type ChannelName = { short: string; full: string };

/** How people tell channels from each other, by their ids. */
export function nameChannels(channels: readonly Channel[]): ReadonlyMap<string, ChannelName> {
  return new Map(channels.map((one) => [one.id, nameOf(one, channels)]));
}

/** Null where there are not several: a contact may have a conversation with each of them, and one alone needs no name. */
export function useChannelNames(): ReadonlyMap<string, ChannelName> | null {
  const { data } = useQuery(orpc.channels.list.queryOptions({ input: {}, staleTime: 60_000 }));
  const channels = data?.items ?? [];
  return channels.length < 2 ? null : nameChannels(channels);
}

function nameOf({ kind, displayName }: Channel, channels: readonly Channel[]): ChannelName {
  const title = titleOfKind(kind);
  const isOnly = channels.filter((other) => other.kind === kind).length === 1;
  return {
    short: isOnly ? title : (displayName ?? title),
    full: displayName === null ? title : `${title} · ${displayName}`,
  };
}
