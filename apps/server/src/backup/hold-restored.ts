import { holdRestoredCampaigns } from '@app/database/campaigns/write-campaigns';
import { holdRestoredFallbacks } from '@app/database/fallbacks/hold-restored-fallbacks';
import { holdRestoredIntegrations } from '@app/database/integrations/hold-restored-integrations';
import { holdRestoredWebhooks } from '@app/database/webhook-endpoints/hold-restored-webhooks';
import type { SqlQueries } from '@app/database/sql-queries';
import { holdRestoredRuns } from '@app/delivery/hold-restored';
import { holdRestoredFlows } from '@app/flows/hold-restored';
import { holdRestoredMessages } from '@app/delivery/messages/hold-restored-messages';

export type Held = { campaigns: number; messages: number; flows: number };

/** What was under way, or whose time has come since, may have left after the backup: none of it goes on by itself. */
export async function holdRestored(client: SqlQueries): Promise<Held> {
  const runs = await holdRestoredRuns(client);
  const campaigns = await holdRestoredCampaigns(client);
  await holdRestoredFallbacks(client);
  const messages = await holdRestoredMessages(client);
  await holdRestoredWebhooks(client);
  await holdRestoredIntegrations(client);
  const flows = await holdRestoredFlows(client);
  return { campaigns: runs + campaigns, messages, flows };
}
