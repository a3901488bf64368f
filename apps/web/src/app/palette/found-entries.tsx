import { formatPhone } from '@app/domain/contacts/format-phone';
import { ContactRound, Copy, FileText, FolderOpen, Megaphone, MessageSquare, Pencil } from 'lucide-react';
import type { Permission } from '@app/domain/auth/permissions';
import type { ReactNode } from 'react';
import { t, type MessageKey } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import type { PaletteEntry } from './palette-entries.tsx';
import type { useFoundItems } from './use-found-items.ts';

type Found = Omit<ReturnType<typeof useFoundItems>, 'isSearching' | 'searched'>;
type Place = { to: string; search?: Record<string, string> };
type Verb = readonly [label: MessageKey, icon: ReactNode, place: Place, needs?: Permission];

/** What was found, each with what can be done with it; its first verb opens it. */
export function foundEntries({ contacts, templates, campaigns }: Found): FoundEntries {
  return {
    contacts: contacts.map(({ id, name, phone, email }) =>
      entryOf(
        {
          id,
          label: name,
          detail: phone ? formatPhone(phone) : (email ?? undefined),
          icon: <ContactRound />,
        },
        [
          ['palette.openIt', <FolderOpen key="i" />, { to: paths.contact(id) }],
          [
            'palette.sendTo',
            <MessageSquare key="i" />,
            { to: paths.inbox, search: { dialog: 'new-chat', contact: id } },
            'messages:create',
          ],
          [
            'palette.edit',
            <Pencil key="i" />,
            { to: paths.contact(id), search: { dialog: 'edit' } },
            'contacts:update',
          ],
        ],
      ),
    ),
    templates: templates.map(({ id, name, language }) => {
      const at = (dialog: string) => ({ to: paths.templates, search: { dialog, template: id } });
      return entryOf({ id, label: name, detail: language, icon: <FileText /> }, [
        ['palette.openIt', <FolderOpen key="i" />, at('preview')],
        ['palette.edit', <Pencil key="i" />, at('edit'), 'templates:update'],
        ['palette.duplicate', <Copy key="i" />, at('duplicate'), 'templates:create'],
      ]);
    }),
    campaigns: campaigns.map(({ id, name }) =>
      entryOf({ id, label: name, icon: <Megaphone /> }, [
        ['palette.openIt', <FolderOpen key="i" />, { to: paths.campaign(id) }],
        [
          'palette.duplicate',
          <Copy key="i" />,
          { to: paths.campaign(id), search: { form: 'copy' } },
          'campaigns:create',
        ],
      ]),
    ),
  };
}

export type FoundEntry = PaletteEntry & { verbs: readonly PaletteEntry[] };
export type FoundEntries = Record<'contacts' | 'templates' | 'campaigns', FoundEntry[]>;

function entryOf(
  entry: { id: string; label: string; detail?: string | undefined; icon: ReactNode },
  [open, ...others]: readonly [Verb, ...Verb[]],
): FoundEntry {
  const verbs = [open, ...others]
    .filter(([, , , needs]) => needs === undefined || can(needs))
    .map(([label, icon, place]) => ({ id: `${entry.id} ${label}`, label: t(label), icon, ...place }));
  return { ...entry, ...open[2], verbs };
}
