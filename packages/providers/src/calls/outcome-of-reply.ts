import type { Reply } from '@app/domain/integrations/contact-connector';
import type { EventOutcome } from '@app/domain/integrations/event-connector';

/** What a call that failed means for the event that it carried. */
export function outcomeOfReply({
  problem,
  detail,
  retryAfterMs,
}: Extract<Reply<never>, { ok: false }>): EventOutcome {
  if (problem === 'service_rejected') return { outcome: 'refused', detail: detail ?? problem };
  const isUnknown = problem === 'service_away' || problem === 'response_unreadable';
  return { outcome: 'failed', problem, detail, retryAfterMs, isUnknown };
}
