import { Dialog } from '@base-ui/react/dialog';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { ContactRound, FileText, Megaphone } from 'lucide-react';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { backdropStyle } from '../../ui/overlays/dialog.tsx';
import { offeredActions, offeredPages, type PaletteEntry } from './palette-entries.tsx';
import { SHORTEST_SEARCH, useFoundItems } from './use-found-items.ts';

/** Goes to any page, contact, template or campaign and runs any action by typing a few letters of it. */
export function CommandPalette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState(true);
  const [typed, setTyped] = useState('');
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
            <Command label={t('palette.title')} loop shouldFilter={false}>
              <Command.Input
                ref={input}
                value={typed}
                onValueChange={setTyped}
                placeholder={t('palette.placeholder')}
                className="h-13 w-full border-b border-border bg-transparent px-5 text-lg outline-none!"
              />
              <Results typed={typed} go={go} run={run} onShortcuts={onShortcuts} />
            </Command>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type Go = (to: string, search?: Record<string, string>) => void;

function Results({
  typed,
  go,
  run,
  onShortcuts,
}: {
  typed: string;
  go: Go;
  run: (act: () => unknown) => void;
  onShortcuts: () => void;
}) {
  const wanted = typed.trim();
  const search = useDebounced(wanted);
  const { contacts, templates, campaigns, isSearching } = useFoundItems(search);
  const pages = offeredPages().filter((entry) => matches(entry, wanted));
  const actions = offeredActions({ onShortcuts }).filter((entry) => matches(entry, wanted));
  const isWaiting = isSearching || (wanted !== search && wanted.length >= SHORTEST_SEARCH);
  const count = pages.length + actions.length + contacts.length + templates.length + campaigns.length;
  const select = (entry: PaletteEntry) => ('to' in entry ? go(entry.to, entry.search) : run(entry.act));

  return (
    <>
      <Command.List
        label={t('palette.results')}
        className="max-h-[min(24rem,60vh)] overflow-y-auto overscroll-contain p-2 empty:p-0"
      >
        <Group heading={t('palette.pages')} entries={pages} onSelect={select} />
        <Group heading={t('palette.actions')} entries={actions} onSelect={select} />
        <Group
          heading={t('common.nav.contacts')}
          entries={contacts.map(({ id, name, phone, email }) => ({
            id,
            label: name,
            detail: phone ?? email ?? undefined,
            icon: <ContactRound />,
            to: paths.contact(id),
          }))}
          onSelect={select}
        />
        <Group
          heading={t('common.nav.templates')}
          entries={templates.map(({ id, name, language }) => ({
            id,
            label: name,
            detail: language,
            icon: <FileText />,
            to: paths.templates,
            search: { dialog: 'preview', template: id },
          }))}
          onSelect={select}
        />
        <Group
          heading={t('common.nav.campaigns')}
          entries={campaigns.map(({ id, name }) => ({
            id,
            label: name,
            icon: <Megaphone />,
            to: paths.campaign(id),
          }))}
          onSelect={select}
        />
      </Command.List>
      {/* Beside the list: a list box holds nothing but options. */}
      <p role="status" className="px-3 text-center text-muted not-empty:py-6">
        {isWaiting && count === 0 ? t('palette.searching') : null}
        {!isWaiting && count === 0 ? t('palette.empty') : null}
      </p>
    </>
  );
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
        <Item key={entry.id} id={entry.id} icon={entry.icon} onSelect={() => onSelect(entry)}>
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
  onSelect,
  children,
}: {
  id: string;
  icon: ReactNode;
  onSelect: () => void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={id}
      onSelect={onSelect}
      className="flex h-9 cursor-default items-center gap-3 rounded-md px-3 data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:text-muted"
    >
      <span aria-hidden>{icon}</span>
      {children}
    </Command.Item>
  );
}
