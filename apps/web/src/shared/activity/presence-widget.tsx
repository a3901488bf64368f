import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../api.ts';
import { useLiveQuery } from '../live/use-live-query.ts';
import { t } from '../messages.ts';
import { useSession } from '../session.ts';
import { useIdleTracking } from './use-idle.ts';
import { Avatar, AvatarGroup } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';

const SHOWN = 5;
const SHOWN_COMPACT = 3;
const LOOK_AGAIN_MS = 30_000;

/** Tells the server when this person goes idle or comes back. It shows nothing, and stands once on each page. */
export function IdleWatch() {
  useIdleTracking();
  return null;
}

/** Who has the product open now: pictures and how many more; pressed, the list. Load the catalogue `presence` before. */
export function PresenceWidget({ compact = false }: { compact?: boolean }) {
  const { user } = useSession();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(
    orpc.activity.listOnline.queryOptions({ input: {}, refetchInterval: LOOK_AGAIN_MS, staleTime: 0 }),
  );
  useLiveQuery(['presence'], [orpc.activity.listOnline.key()]);
  // Of the reader it shows who they are, and what they may do can change under their hands.
  useLiveQuery(['users'], [orpc.auth.getSession.key()], {
    concerns: ({ userId }) => userId === user?.id || userId === null,
  });
  const people = (data?.people ?? []).map((person) => ({ ...person, image: person.avatar }));
  // It keeps its place until it is known, at least, that the reader is there.
  if (people.length === 0) return compact ? null : <div aria-hidden className="h-7" />;
  const group = (
    <AvatarGroup
      people={people}
      max={compact ? SHOWN_COMPACT : SHOWN}
      label={t('presence.people', { names: people.map(({ name }) => name).join(', ') })}
    />
  );
  if (compact) return group;
  return (
    <section>
      <button
        type="button"
        aria-expanded={isOpen}
        title={t(isOpen ? 'presence.hide' : 'presence.show')}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-card px-1 py-0.5 text-left text-sm text-muted transition-colors hover:text-text"
      >
        {group}
        <span className="min-w-0 flex-1 truncate">{t('presence.onlineShort', { n: people.length })}</span>
        <ChevronDown
          aria-hidden
          className={classNames('size-4 shrink-0 transition-transform', !isOpen && '-rotate-180')}
        />
      </button>
      {isOpen ? (
        <ul
          className="mt-1.5 max-h-64 overflow-y-auto"
          // oxlint-disable-next-line no-noninteractive-tabindex -- a list that scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label={t('presence.online', { n: people.length })}
        >
          {people.map((person) => (
            <li key={person.id} className="flex items-center gap-2 px-1 py-1">
              <Avatar name={person.name} image={person.image} size="small" />
              <span className="flex min-w-0 flex-1 gap-1">
                <span className="truncate" title={person.name}>
                  {person.name}
                </span>
                {person.id === user?.id ? (
                  <span className="shrink-0 text-muted">({t('presence.you')})</span>
                ) : null}
              </span>
              <span className="flex items-center gap-1.5 text-sm text-muted">
                <span
                  aria-hidden
                  className={classNames(
                    'size-2 rounded-full',
                    person.state === 'active' ? 'bg-success' : 'border-2 border-warning',
                  )}
                />
                {t(`presence.${person.state}`)}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
