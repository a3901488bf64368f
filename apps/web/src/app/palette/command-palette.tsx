import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { t } from '../../shared/messages.ts';
import { offlineSearchText } from '../../ui/controls/searched-here-text.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { classNames } from '../../ui/class-names.ts';
import { backdropStyle } from '../../ui/overlays/popup-props.ts';
import { foundEntries, foundKinds, type FoundEntry } from './found-entries.tsx';
import { offeredActions, offeredPages, type PaletteEntry } from './palette-entries.tsx';
import { useFoundActions } from './use-found-actions.ts';
import { SHORTEST_SEARCH, useFoundItems } from './use-found-items.ts';
import { useOtherWorkspaces } from './use-other-workspaces.tsx';

/** Goes to any page, contact, segment, template or campaign and runs any action by typing a few letters of it. */
export function CommandPalette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState('');
  /** The one whose verbs are shown. */
  const [chosen, setChosen] = useState<FoundEntry>();
  const input = useRef<HTMLInputElement>(null);

  function run(act: () => unknown) {
    setOpen(false);
    void act();
  }
  const go: Go = (to, search = {}) => run(() => navigate({ to, search }));

  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => setOpen(next)}
      onOpenChangeComplete={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop forceRender className={backdropStyle} />
        <Dialog.Viewport className="fixed inset-0 layer-dialog flex items-start justify-center p-4 pt-[12vh]">
          <Dialog.Popup
            initialFocus={input}
            className="w-full max-w-xl overflow-hidden rounded-xl border border-border bg-raised shadow-raised outline-none transition-[opacity,transform] duration-120 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0"
          >
            <Dialog.Title className="sr-only">{t('palette.title')}</Dialog.Title>
            <Command
              label={t('palette.title')}
              loop
              shouldFilter={false}
              value={marked}
              onValueChange={setMarked}
            >
              <Command.Input
                ref={input}
                value={typed}
                onValueChange={(next) => {
                  setTyped(next);
                  setChosen(undefined);
                }}
                onKeyDown={(event) => {
                  if (!chosen || !isBack(event)) return;
                  event.preventDefault();
                  event.stopPropagation();
                  setChosen(undefined);
                  setMarked(chosen.id);
                }}
                placeholder={t('palette.placeholder')}
                className="h-13 w-full border-b border-border bg-transparent px-5 text-lg outline-none!"
              />
              {chosen ? (
                <Command.List label={chosen.label} className={listStyle}>
                  <Group
                    heading={chosen.label}
                    entries={chosen.verbs}
                    onSelect={(verb) => ('to' in verb ? go(verb.to, verb.search) : run(verb.act))}
                  />
                </Command.List>
              ) : (
                <Results
                  {...{ typed, marked, input, go, run, onShortcuts }}
                  onVerbs={(entry) => {
                    setChosen(entry);
                    setMarked(entry.verbs[0]?.id ?? '');
                  }}
                />
              )}
            </Command>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Escape, Backspace and the arrow to the left lead back to what was found. */
function isBack({ key }: KeyboardEvent): boolean {
  return key === 'Escape' || key === 'ArrowLeft' || key === 'Backspace';
}

const listStyle = 'max-h-[min(24rem,60vh)] overflow-y-auto overscroll-contain p-2 empty:p-0';
/** Of so many found, what can be done with each is in sight at once. */
const MOST_SPREAD = 2;

type Go = (to: string, search?: Record<string, string>) => void;

function Results({
  typed,
  marked,
  input,
  go,
  run,
  onVerbs,
  onShortcuts,
}: {
  typed: string;
  /** The entry that Enter would choose. */
  marked: string;
  input: RefObject<HTMLInputElement | null>;
  onVerbs: (entry: FoundEntry) => void;
  go: Go;
  run: (act: () => unknown) => void;
  onShortcuts: () => void;
}) {
  const wanted = typed.trim();
  const search = useDebounced(wanted);
  const { isSearching, searched, ...items } = useFoundItems(search);
  const entries = foundEntries(items, useFoundActions());
  const found = foundKinds.flatMap((kind) => entries[kind]);
  const withVerbs = found.find(({ id }) => id === marked);
  const isSpread = found.length <= MOST_SPREAD;
  useVerbsKey(input, withVerbs && !isSpread ? () => onVerbs(withVerbs) : undefined);
  const pages = offeredPages().filter((entry) => matches(entry, wanted));
  const places = useOtherWorkspaces().filter((entry) => matches(entry, wanted));
  const actions = offeredActions({ onShortcuts }).filter((entry) => matches(entry, wanted));
  const isWaiting = isSearching || (wanted !== search && wanted.length >= SHORTEST_SEARCH);
  const count = pages.length + places.length + actions.length + found.length;
  const select = (entry: PaletteEntry) => ('to' in entry ? go(entry.to, entry.search) : run(entry.act));

  return (
    <>
      <Command.List label={t('palette.results')} className={listStyle}>
        <Group heading={t('palette.pages')} entries={pages} onSelect={select} />
        <Group heading={t('workspaces.title')} entries={places} onSelect={select} />
        <Group heading={t('palette.actions')} entries={actions} onSelect={select} />
        {foundKinds.map((kind) => (
          <Group
            key={kind}
            heading={kind === 'segments' ? t('palette.segments') : t(`common.nav.${kind}`)}
            entries={entries[kind].flatMap((entry) => (isSpread ? spread(entry) : [entry]))}
            onSelect={select}
          />
        ))}
      </Command.List>
      {/* Beside the list: a list box holds nothing but options. */}
      <p role="status" className="px-3 text-center text-muted not-empty:py-6">
        {isWaiting && count === 0 ? t('palette.searching') : null}
        {!isWaiting && count === 0 && searched !== 0 ? t('palette.empty') : null}
      </p>
      <p role="status" className="border-border px-5 text-sm text-warning not-empty:border-t not-empty:py-2">
        {searched === undefined ? null : offlineSearchText(searched)}
      </p>
      {withVerbs && !isSpread ? (
        <p className="border-t border-border px-5 py-2 text-sm text-muted max-sm:hidden">
          {t('palette.moreHint')}
        </p>
      ) : null}
    </>
  );
}

/** The arrow to the right, where nothing is left to step over in the field. */
function useVerbsKey(input: RefObject<HTMLInputElement | null>, open: (() => void) | undefined): void {
  useEffect(() => {
    const field = input.current;
    if (!field || !open) return undefined;
    function onKeyDown(event: globalThis.KeyboardEvent) {
      if (event.key !== 'ArrowRight' || field?.selectionEnd !== field?.value.length) return;
      event.preventDefault();
      open?.();
    }
    field.addEventListener('keydown', onKeyDown);
    return () => field.removeEventListener('keydown', onKeyDown);
  });
}

/** The entry, and under it what else can be done with it. */
function spread(entry: FoundEntry): PaletteEntry[] {
  return [entry, ...entry.verbs.slice(1).map((verb) => ({ ...verb, isVerb: true }))];
}

/** Every typed word stands somewhere in the label. */
function matches({ label }: PaletteEntry, typed: string): boolean {
  const text = label.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function Group({
  heading,
  entries,
  onSelect,
}: {
  heading: string;
  entries: readonly PaletteEntry[];
  onSelect: (entry: PaletteEntry) => void;
}) {
  if (entries.length === 0) return null;
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-muted"
    >
      {entries.map((entry) => (
        <Item
          key={entry.id}
          id={entry.id}
          icon={entry.icon}
          isVerb={entry.isVerb}
          onSelect={() => onSelect(entry)}
        >
          <span className="min-w-0 truncate">{entry.label}</span>
          {entry.detail ? (
            <span className="ml-auto shrink-0 text-sm text-muted tabular-nums">{entry.detail}</span>
          ) : null}
        </Item>
      ))}
    </Command.Group>
  );
}

function Item({
  id,
  icon,
  isVerb = false,
  onSelect,
  children,
}: {
  id: string;
  icon: ReactNode;
  isVerb?: boolean | undefined;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className={classNames(
        'flex h-9 cursor-default items-center gap-3 rounded-md px-3 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-muted',
        isVerb && 'pl-10',
      )}
    >
      <span aria-hidden>{icon}</span>
      {children}
    </Command.Item>
  );
}
