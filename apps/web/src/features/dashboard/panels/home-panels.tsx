import { useQuery } from '@tanstack/react-query';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { attentionOptions, startOptions } from '../dashboard-queries.ts';
import { GettingStarted } from './getting-started.tsx';
import { NeedsYou } from './needs-you.tsx';

/** What waits for somebody, and the way to the first campaign; nothing where neither is. */
export function HomePanels() {
  const start = useQuery(startOptions).data;
  const items = useQuery(attentionOptions).data?.items ?? [];
  const leads = start !== undefined && !start.isHidden && start.steps.length > 0;
  useLiveQuery(['campaigns', 'channels', 'messages', 'templates', 'users'], [attentionOptions.queryKey]);
  useLiveQuery(['campaigns', 'channels', 'contacts', 'templates'], [startOptions.queryKey], { isOn: leads });
  return (
    <>
      {items.length > 0 ? <NeedsYou items={items} /> : null}
      {leads ? <GettingStarted start={start} /> : null}
    </>
  );
}
