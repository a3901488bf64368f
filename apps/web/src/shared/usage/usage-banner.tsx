import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { lazyDetail } from '../../ui/load-file.ts';
import { orpc } from '../api.ts';
import { loadMessages } from '../messages.ts';
import { OFFLINE_PREFIX } from '../offline/offline-copy.ts';
import { ownerHere } from '../session.ts';
import { findNews } from './usage-news.ts';

const LateWarning = lazyDetail(async () => {
  const [{ UsageWarning }] = await Promise.all([import('./usage-warning.tsx'), loadMessages('settings')]);
  return UsageWarning;
});

const EVERY_MS = 5 * 60_000;
const placeOf = (owner: string) => `${OFFLINE_PREFIX}usage-hidden.${owner}`;

/** Warns whoever may change it from four fifths of a limit on. */
export function UsageBanner() {
  const place = placeOf(ownerHere());
  const [hidden, setHidden] = useState(() => localStorage.getItem(place));
  const { data } = useQuery(
    orpc.settings.getUsage.queryOptions({ input: {}, staleTime: EVERY_MS, refetchInterval: EVERY_MS }),
  );
  const news = data && findNews(data);
  if (!news) return null;
  const name = [data.month, news.kind, news.level].join(' ');
  if (name === hidden) return null;
  return (
    <Suspense>
      <LateWarning
        usage={data}
        news={news}
        onHide={() => {
          localStorage.setItem(place, name);
          setHidden(name);
        }}
      />
    </Suspense>
  );
}
