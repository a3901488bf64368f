/** The campaign that a bulk send records: `Bulk Message - 11/21/2026`, dated where its sender is. */
export function bulkCampaignName(sentAt: Date, timeZone: string): string {
  return `Bulk Message - ${sentAt.toLocaleDateString('en-US', { timeZone })}`;
}
