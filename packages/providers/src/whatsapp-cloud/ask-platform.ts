import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-messages';
import type { DownloadAnswer, PlatformDownload } from '@app/domain/channels/open-channel';
import { decideErrorAction } from './error-table.ts';
import { ProviderRejected, ProviderUnreachable } from '../provider-errors.ts';

/** What came of calls that throw for what the platform says. */
export async function askPlatform<Value>(ask: () => Promise<Value>): Promise<PlatformAnswer<Value>> {
  try {
    return { outcome: 'done', value: await ask() };
  } catch (error) {
    if (error instanceof ProviderUnreachable) return { outcome: 'unreachable' };
    if (!(error instanceof ProviderRejected)) throw error;
    if (error.retryable) return { outcome: 'unreachable' };
    const { code, subcode } = error;
    return { outcome: 'refused', reason: reasonOf(error), code, ...(subcode !== undefined && { subcode }) };
  }
}

/** The same for a file that somebody sent us. An id that nobody knows is one that was forgotten, whichever way the platform says so. */
export async function askForFile(ask: () => Promise<PlatformDownload>): Promise<DownloadAnswer> {
  let outcome: 'gone' | 'stopped' | undefined;
  const answer = await askPlatform(() =>
    ask().catch((error: unknown) => {
      if (error instanceof ProviderRejected) outcome = outcomeOf(error);
      throw error;
    }),
  );
  return outcome ? { outcome } : answer;
}

function outcomeOf({ code, subcode, httpStatus }: ProviderRejected): 'gone' | 'stopped' | undefined {
  if (httpStatus === 404 || (code === '100' && subcode === '33') || code === '803') return 'gone';
  const action = decideErrorAction(code);
  const isStop = action.kind === 'stop_channel' && action.blocks === 'everything';
  return isStop || httpStatus === 401 ? 'stopped' : undefined;
}

/** One plain sentence. The subcode says more about a template than the code 100 that stands above it. */
export function reasonOf({ code, subcode, title, details }: ProviderRejected): string {
  const told = { title, ...(details !== undefined && { details }) };
  if (subcode !== undefined) return explainDeliveryError({ code: subcode, ...told });
  return code === '100' && (details ?? title) !== ''
    ? (details ?? title)
    : explainDeliveryError({ code, ...told });
}
