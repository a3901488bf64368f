import { formatPhone } from '@app/domain/contacts/format-phone';
import { allowsAction } from '@app/domain/campaigns/campaign-status';
import {
  Ban,
  ContactRound,
  Copy,
  FileText,
  Filter,
  FolderOpen,
  Megaphone,
  MessageSquare,
  Pause,
  Pencil,
  Play,
} from 'lucide-react';
import type { Permission } from '@app/domain/auth/permissions';
import type { ReactNode } from 'react';
import { mainAction } from '../../features/campaigns/use-campaign-actions.ts';
import type { Segment } from '../../shared/contacts/contacts-queries.ts';
import { t, type MessageKey } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import type { PaletteEntry } from './palette-entries.tsx';
import type { useFoundItems } from './use-found-items.ts';

type Found = Omit<ReturnType<typeof useFoundItems>, 'isSearching' | 'searched'>;
type Place = { to: string; search?: Record<string, string> };
type Act = { act: () => unknown };
type Open = readonly [label: MessageKey, icon: ReactNode, place: Place];
type Verb = readonly [label: MessageKey, icon: ReactNode, does: Place | Act, ...needs: Permission[]];

/** What is done at once, and not on the page of what was found. */
export interface FoundActions {
  campaign: (act: 'start' | 'pause' | 'resume' | 'cancel', campaign: FoundCampaign) => unknown;
  writeTo: (segment: Segment) => unknown;
}

type FoundCampaign = Found['campaigns'][number];

/** What was found, each with what can be done with it; its first verb opens it. */
export function foundEntries(
  { contacts, templates, campaigns, segments }: Found,
  acts: FoundActions,
): FoundEntries {
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
    templates: templates.map(({ id, name, language, isSendable }) => {
      const at = (dialog: string) => ({ to: paths.templates, search: { dialog, template: id } });
      const campaign = { to: paths.campaigns, search: { form: 'new', template: id } };
      return entryOf({ id, label: name, detail: language, icon: <FileText /> }, [
        ['palette.openIt', <FolderOpen key="i" />, at('preview')],
        ...(isSendable
          ? [['palette.sendTo', <MessageSquare key="i" />, campaign, 'campaigns:create'] as const]
          : []),
        ['palette.edit', <Pencil key="i" />, at('edit'), 'templates:update'],
        ['palette.duplicate', <Copy key="i" />, at('duplicate'), 'templates:create'],
      ]);
    }),
    campaigns: campaigns.map((campaign) => {
      const { id, name, status } = campaign;
      const at = (form: string) => ({ to: paths.campaign(id), search: { form } });
      const does = (act: 'start' | 'pause' | 'resume' | 'cancel') => ({
        act: () => acts.campaign(act, campaign),
      });
      const main = mainAction(status);
      return entryOf({ id, label: name, icon: <Megaphone /> }, [
        ['palette.openIt', <FolderOpen key="i" />, { to: paths.campaign(id) }],
        ...(main ? [[`palette.act.${main}`, actionIcons[main], does(main)] as const] : []),
        ['palette.edit', <Pencil key="i" />, at('edit'), 'campaigns:update'],
        ['palette.duplicate', <Copy key="i" />, at('copy'), 'campaigns:create'],
        ...(allowsAction(status, 'cancel')
          ? [['palette.act.cancel', <Ban key="i" />, does('cancel'), 'campaigns:update'] as const]
          : []),
      ]);
    }),
    segments: segments.map((segment) => {
      const { id, name } = segment;
      const people = { to: paths.contacts, search: { filter: `segment:${id}` } };
      const rules = { to: paths.contacts, search: { dialog: 'segment', segment: id } };
      return entryOf({ id, label: name, icon: <Filter /> }, [
        ['palette.openIt', <FolderOpen key="i" />, people],
        [
          'palette.sendTo',
          <MessageSquare key="i" />,
          { act: () => acts.writeTo(segment) },
          'messages:create',
          'campaigns:create',
        ],
        ['palette.edit', <Pencil key="i" />, rules, 'contacts:update'],
      ]);
    }),
  };
}

const actionIcons = { start: <Play key="i" />, pause: <Pause key="i" />, resume: <Play key="i" /> };

export type FoundEntry = PaletteEntry & { verbs: readonly PaletteEntry[] };
/** In the order in which they are shown. */
export const foundKinds = ['contacts', 'segments', 'templates', 'campaigns'] as const;
type FoundKind = (typeof foundKinds)[number];
export type FoundEntries = Record<FoundKind, FoundEntry[]>;

function entryOf(
  entry: { id: string; label: string; detail?: string | undefined; icon: ReactNode },
  [open, ...others]: readonly [Open, ...Verb[]],
): FoundEntry {
  const verbs = [open, ...others]
    .filter(([, , , ...needs]) => needs.every(can))
    .map(([label, icon, does]) => ({ id: `${entry.id} ${label}`, label: t(label), icon, ...does }));
  return { ...entry, ...open[2], verbs };
}
