import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { can } from '../../shared/session.ts';
import type { SentBulkMessage } from './use-send-bulk-message.ts';

/** Whether what was sent a moment ago is a draft again: taken back in another tab, on the campaign's page, or by somebody else. */
export function useTakenBack(sent: SentBulkMessage | undefined): boolean {
  const options = orpc.campaigns.get.queryOptions({ input: { campaignId: sent?.campaignId ?? '' } });
  const isOn = sent !== undefined && can('campaigns:read');
  const { data } = useQuery({ ...options, enabled: isOn });
  useLiveQuery(['campaigns'], [options.queryKey], { isOn });
  return isOn && data?.status === 'draft';
}
