import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { MessageSquare, TagIcon, Users } from 'lucide-react';
import { Suspense, useState, type ReactElement } from 'react';
import type { RecipientOutcome } from '@app/domain/campaigns/recipient-outcome';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { handPeople } from '../../shared/contacts/handed-people.ts';
import { tellEdited } from '../../shared/contacts/tell-edited.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { notify } from '../../ui/toast.ts';

/** Its words are those of contacts. */
const TagsDialog = lazyDialog(async () => {
  const [{ BulkTagsDialog }] = await Promise.all([
    import('../../shared/contacts/bulk-tags-dialog.tsx'),
    loadMessages('contacts'),
  ]);
  return BulkTagsDialog;
});

export interface CampaignPeople {
  campaignId: string;
  outcome?: RecipientOutcome | undefined;
  /** A code, or `NO_REASON`. */
  reason?: string | undefined;
}

/** What can be done with the people of a campaign, of one outcome or for one reason. */
export function RecipientActions({ trigger, ...people }: CampaignPeople & { trigger: ReactElement }) {
  const navigate = useNavigate();
  const [isTagging, setTagging] = useState(false);
  if (!can('contacts:read')) return null;
  const { campaignId, outcome = '', reason } = people;
  const filter = ['campaign', campaignId, outcome, ...(reason === undefined ? [] : [reason])].join(':');
  const chosen = { campaignId, ...(outcome && { outcome }), ...(reason && { reason }) };
  const entries: MenuEntry[] = [
    ...(can('messages:create') && can('campaigns:create')
      ? [
          {
            label: t('campaigns.people.write'),
            icon: <MessageSquare aria-hidden />,
            onSelect: () => {
              handPeople({ choice: { filter: chosen } });
              void navigate({ to: paths.bulkMessage });
            },
          },
        ]
      : []),
    ...(can('contacts:update')
      ? [
          {
            label: t('campaigns.people.tag'),
            icon: <TagIcon aria-hidden />,
            onSelect: () => setTagging(true),
          },
        ]
      : []),
    {
      label: t('campaigns.people.view'),
      icon: <Users aria-hidden />,
      onSelect: () => void navigate({ to: paths.contacts, search: { filter } }),
    },
  ];
  return (
    <>
      <Menu trigger={trigger} entries={entries} />
      {isTagging ? (
        <Suspense>
          <TagPeople filter={chosen} onClose={() => setTagging(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

function TagPeople({ filter, onClose }: { filter: CampaignPeople; onClose: () => void }) {
  // Whoever was deleted since has a row in the campaign, and gets no tag.
  const count = useQuery(orpc.contacts.count.queryOptions({ input: filter })).data?.count;
  const edit = useAction(orpc.contactActs.edit.mutationOptions());
  async function save(addTags: string[]): Promise<void> {
    try {
      await loadMessages('contacts');
      void tellEdited(await edit.mutateAsync({ choice: { filter }, addTags }));
      onClose();
    } catch (error) {
      notify.error(errorMessage(error));
    }
  }
  return (
    <TagsDialog
      act="add"
      count={count ?? 0}
      isSaving={edit.isPending}
      onSave={(tags) => void save(tags)}
      onClose={onClose}
    />
  );
}
