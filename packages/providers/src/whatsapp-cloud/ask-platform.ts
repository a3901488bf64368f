import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-words';
import { ProviderRejected, ProviderUnreachable } from '../provider-errors.ts';

/** What came of calls that throw for what the platform says. */
export async function askPlatform<Value>(ask: () => Promise<Value>): Promise<PlatformAnswer<Value>> {
  try {
    return { outcome: 'done', value: await ask() };
  } catch (error) {
    if (error instanceof ProviderUnreachable) return { outcome: 'unreachable' };
    if (!(error instanceof ProviderRejected)) throw error;
    return error.retryable ? { outcome: 'unreachable' } : { outcome: 'refused', reason: explain(error) };
  }
}

/** The subcode says more about a template than the code 100 that stands above it. */
function explain({ code, subcode, title, details }: ProviderRejected): string {
  const told = { title, ...(details !== undefined && { details }) };
  if (subcode !== undefined) return explainDeliveryError({ code: subcode, ...told });
  return code === '100' && (details ?? title) !== ''
    ? (details ?? title)
    : explainDeliveryError({ code, ...told });
}
