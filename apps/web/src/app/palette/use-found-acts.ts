import { useNavigate } from '@tanstack/react-router';
import { useCampaignActs } from '../../features/campaigns/use-campaign-acts.ts';
import { handPeople } from '../../shared/contacts/handed-people.ts';
import { loadMessages } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import type { FoundActs } from './found-entries.tsx';

/** What the palette does with what it found, with the questions that the pages ask too. */
export function useFoundActs(): FoundActs {
  const navigate = useNavigate();
  const acts = useCampaignActs();
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
