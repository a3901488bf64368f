import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Filter, MessageSquare, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { orpc } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { notify } from '../../ui/toast.ts';
import { refreshContacts, segmentOf, type Segment } from '../../shared/contacts/contacts-queries.ts';

/** So many stand in the menu at first. */
const MOST_LISTED = 12;

/** Shows a segment, makes one, and changes or deletes the one that is shown. */
export function SegmentsMenu({
  segments,
  filter,
  canSaveFilter,
  onWrite,
  onShow,
  onOpen,
}: {
  segments: readonly Segment[];
  filter: string;
  /** Whether what is shown could be said by the rules of a segment. */
  canSaveFilter: boolean;
  /** Undefined for whoever may not write to many. */
  onWrite: ((segment: Segment) => void) | undefined;
  onShow: (filter: string | undefined) => void;
  onOpen: (segmentId: string | undefined) => void;
}) {
  const askToDelete = useDeleteSegment();
  const shown = segments.find(({ id }) => id === segmentOf(filter));
  const [isWhole, setWhole] = useState(false);
  const listed = isWhole ? [...segments] : segments.slice(0, MOST_LISTED);
  if (shown && !listed.includes(shown)) listed.unshift(shown);
  const acts: MenuEntry[] = [
    ...(can('contacts:create')
      ? [
          {
            label: t(canSaveFilter ? 'contacts.segment.ofFilter' : 'contacts.segment.new'),
            icon: <Plus aria-hidden />,
            onSelect: () => onOpen(undefined),
          },
        ]
      : []),
    ...(shown && onWrite
      ? [
          {
            label: t('contacts.messageTo', { name: shown.name }),
            icon: <MessageSquare aria-hidden />,
            onSelect: () => onWrite(shown),
          },
        ]
      : []),
    ...(shown && can('contacts:update')
      ? [
          {
            label: t('contacts.segment.edit', { name: shown.name }),
            icon: <Pencil aria-hidden />,
            onSelect: () => onOpen(shown.id),
          },
        ]
      : []),
    ...(shown && can('contacts:delete')
      ? [
          {
            label: t('contacts.segment.delete', { name: shown.name }),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => void askToDelete(shown, () => onShow(undefined)),
          },
        ]
      : []),
  ];
  const entries: MenuEntry[] = [
    ...listed.map((segment) => ({
      label: segment.name,
      checked: segment === shown,
      // Once more, and everybody is shown again.
      onSelect: () => onShow(segment === shown ? undefined : `segment:${segment.id}`),
    })),
    ...(segments.length > listed.length
      ? [
          {
            label: t('contacts.segment.more', { n: segments.length - listed.length }),
            icon: <ChevronDown aria-hidden />,
            keepsOpen: true,
            onSelect: () => setWhole(true),
          },
        ]
      : []),
    ...(listed.length > 0 && acts.length > 0 ? (['separator'] as const) : []),
    ...acts,
  ];
  if (entries.length === 0) return null;
  return (
    <Menu
      align="start"
      trigger={<Button icon={<Filter aria-hidden />}>{t('contacts.segments')}</Button>}
      onOpenChange={(isOpen) => {
        if (isOpen) setWhole(false);
      }}
      entries={entries}
    />
  );
}

function useDeleteSegment() {
  const confirm = useConfirm();
  const queryClient = useQueryClient();
  const remove = useAction(orpc.segments.remove.mutationOptions());
  return (segment: Segment, onGone: () => void) =>
    confirm({
      title: t('contacts.segment.deleteQuestion'),
      text: t('contacts.segment.deleteText', { name: segment.name }),
      confirmLabel: t('common.delete'),
      work: async () => {
        try {
          await remove.mutateAsync({ segmentId: segment.id });
          notify.success(t('contacts.segment.deleted'));
          onGone();
        } catch (error) {
          notify.error(segmentErrorMessage(error));
        }
        await refreshContacts(queryClient);
      },
    });
}

export const segmentErrorMessage = errorMessageOf({
  segment_not_found: 'contacts.segment.notFound',
  segment_in_use: ({ campaign }) => t('contacts.segment.inUse', { campaign: campaign ?? '' }),
  segment_changed: 'contacts.segment.changed',
  custom_field_unknown: 'contacts.segment.fieldUnknown',
  segment_name_taken: 'contacts.segment.nameTaken',
});
