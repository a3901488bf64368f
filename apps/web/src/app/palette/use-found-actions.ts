import { useNavigate } from '@tanstack/react-router';
import { useCampaignActions } from '../../features/campaigns/use-campaign-actions.ts';
import { handPeople } from '../../shared/contacts/handed-people.ts';
import { loadMessages } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import type { FoundActions } from './found-entries.tsx';

/** What the palette does with what it found, with the questions that the pages ask too. */
export function useFoundActions(): FoundActions {
  const navigate = useNavigate();
  const acts = useCampaignActions();
  return {
    async campaign(act, campaign) {
      await loadMessages('campaigns', 'sending');
      await (act === 'cancel' ? acts.cancel(campaign) : acts.act(act, campaign));
    },
    writeTo(segment) {
      handPeople({ choice: { filter: { segment: segment.id } }, segment });
      return navigate({ to: paths.bulkMessage });
    },
  };
}
