import type { LiveTopic } from '@app/domain/live/live-topics';
import { orpc } from '../api.ts';
import type { ServerDataClient } from '../server-data-client.ts';
import { onLiveEvent } from './live-events.ts';

/** Lists that forms choose from, by the topic of what they hold. */
const lists: Partial<Record<LiveTopic, readonly { key(): readonly unknown[] }[]>> = {
  campaigns: [orpc.campaigns.list],
  channels: [orpc.channels.list],
  'quick-replies': [orpc.quickReplies.list],
  rcs: [orpc.campaigns.listContents],
  teams: [orpc.teams.list],
  templates: [orpc.templates.list, orpc.templates.get],
  users: [orpc.users.list, orpc.conversations.listAssignees],
  workflows: [orpc.workflows.list],
};

/** Keeps these lists current wherever they are shown: a page names only what else it shows. */
export function followLists(client: ServerDataClient): void {
  onLiveEvent(({ topic }) => {
    const changed = topic === 'resync' ? Object.values(lists).flat() : (lists[topic] ?? []);
    for (const list of changed) void client.invalidateQueries({ queryKey: list.key() });
  });
}
