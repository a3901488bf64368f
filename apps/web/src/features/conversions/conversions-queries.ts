import { orpc, type api } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';

export type CampaignConversions = Awaited<ReturnType<typeof api.conversions.getCampaign>>;
export type ConversionSettings = Awaited<ReturnType<typeof api.conversions.getSettings>>;

export const settingsOptions = orpc.conversions.getSettings.queryOptions({ input: {} });

export function campaignOptions(campaignId: string) {
  return orpc.conversions.getCampaign.queryOptions({ input: { campaignId } });
}

export const conversionsError = errorMessageOf({ conversion_settings_changed: 'conversions.changed' });
