import { readFailure } from './api-client.ts';
import { t } from './messages.ts';

/** A sentence for a failure that has no words of its own in the feature. */
export function failureText(error: unknown): string {
  const { code } = readFailure(error);
  if (code === 'offline') return t('common.error.offline');
  if (code === 'FORBIDDEN') return t('common.error.forbidden');
  if (code === 'NOT_FOUND') return t('common.error.notFound');
  if (code === 'TOO_MANY_REQUESTS') return t('common.error.tooMany');
  if (code === 'server_busy') return t('common.error.busy');
  if (code === 'outcome_unknown') return t('common.error.outcomeUnknown');
  if (code === 'idempotency_answer_gone') return t('common.error.doneBefore');
  return t('common.error.internal');
}
