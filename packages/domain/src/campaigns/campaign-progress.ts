/** Recipients so far. `sent` holds those delivered and read; `cancelled` everybody left out: total = sent + cancelled + failed + unknown + pending. */
export type CampaignCounts = {
  total: number;
  pending: number;
  sent: number;
  delivered: number;
  read: number;
  failed: number;
  cancelled: number;
  unknown: number;
};

/** The furthest that each recipient got, so that the parts add up to the whole. */
export type ProgressSplit = Record<
  'read' | 'delivered' | 'sent' | 'failed' | 'unknown' | 'cancelled' | 'pending',
  number
>;

export function splitProgress(counts: CampaignCounts): ProgressSplit {
  const { total, pending, delivered, read, failed, cancelled, unknown } = counts;
  return {
    read: Math.min(read, delivered),
    delivered: Math.max(0, delivered - read),
    sent: Math.max(0, total - pending - cancelled - unknown - failed - delivered),
    failed,
    unknown,
    cancelled,
    pending,
  };
}

/** How many were seen at what moment (milliseconds since 1970) to wait for their turn. */
export type PendingSample = { at: number; pending: number };

/** Seconds until nobody waits any more at the pace of the samples (oldest first); null while they show no pace. */
export function estimateSecondsLeft(samples: readonly PendingSample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < 1000 || last.pending >= first.pending) return null;
  const perMillisecond = (first.pending - last.pending) / (last.at - first.at);
  return Math.ceil(last.pending / perMillisecond / 1000);
}
