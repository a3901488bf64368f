import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { holdsText } from '../../shared/offline/kept-rows.ts';
import { t } from '../../shared/messages.ts';
import { Input } from '../../ui/input.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { ENTRY, WorkspaceLinks } from './workspace-links.tsx';
import { useEntryKeys } from './use-entry-keys.ts';

/** As many are seen at once; of more somebody types a few letters. */
const SEEN_AT_ONCE = 7;

interface EntriesProps {
  onClose: () => void;
  onCreate: () => void;
}

/** The workspaces of the signed-in person, from which they choose where this tab is, and the way to another one. */
export function WorkspaceMenu({
  trigger,
  isOpen,
  onPlaced,
  onOpenChange,
  onCreate,
}: {
  /** Stays where it is while the menu comes and goes, so that the focus comes back to it. */
  trigger: ReactElement;
  isOpen: boolean;
  /** The button stands where the menu has it. */
  onPlaced: () => void;
  onOpenChange: (isOpen: boolean) => void;
  onCreate: () => void;
}) {
  // It opens once its button is there: only that one can have the focus back.
  const [isPlaced, setPlaced] = useState(false);
  useEffect(() => {
    onPlaced();
    setPlaced(true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it is drawn
  }, []);
  return (
    <Popover
      trigger={trigger}
      open={isOpen && isPlaced}
      onOpenChange={onOpenChange}
      align="start"
      className="w-72"
    >
      <Entries onClose={() => onOpenChange(false)} onCreate={onCreate} />
    </Popover>
  );
}

function Entries({ onClose, onCreate }: EntriesProps) {
  const [typed, setTyped] = useState('');
  const place = useRef<HTMLDivElement>(null);
  const { data, error, refetch } = useQuery(orpc.workspaces.list.queryOptions({ input: {} }));
  const all = data?.workspaces ?? [];
  const shown = all.filter(({ name }) => holdsText([name], typed));
  const onKeyDown = useEntryKeys(place);
  const isThere = data !== undefined;
  useEffect(() => {
    // The keys begin at the one of this tab, or in the field where there are many.
    const beginnings = ['input', '[aria-current]', '[data-entry]'];
    const found = beginnings.map((one) => place.current?.querySelector<HTMLElement>(one));
    if (isThere) found.find(Boolean)?.focus();
  }, [isThere]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys move between the links and buttons inside
    <div ref={place} onKeyDown={onKeyDown} className="-m-2.5">
      {all.length > SEEN_AT_ONCE ? (
        <Input
          type="search"
          aria-label={t('workspaces.find')}
          placeholder={t('workspaces.find')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="mb-1.5"
        />
      ) : null}
      <div className="max-h-[min(24rem,60vh)] overflow-y-auto overscroll-contain">
        {error && !data ? (
          <ErrorState className="py-6" text={errorMessage(error)} onRetry={() => void refetch()} />
        ) : null}
        {data || error ? null : <Skeleton className="m-2 h-9" />}
        {data ? <WorkspaceLinks workspaces={shown} label={t('workspaces.title')} onStay={onClose} /> : null}
      </div>
      <p role="status" className="px-2 text-muted not-empty:py-3">
        {data && shown.length === 0 ? t('workspaces.noMatch') : null}
      </p>
      {data?.mayCreate ? (
        <div className="mt-1.5 border-t border-border pt-1.5">
          <button type="button" data-entry="" onClick={onCreate} className={ENTRY}>
            <span aria-hidden className="grid size-8 place-items-center text-muted">
              <Plus className="size-4" />
            </span>
            {t('workspaces.create')}
          </button>
        </div>
      ) : null}
    </div>
  );
}
