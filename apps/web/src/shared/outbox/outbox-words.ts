import type { ApiFailure } from '../api.ts';
import { textOfCode } from '../error-message.ts';
import { findText, t } from '../messages.ts';
import type { OutboxItem } from './outbox-items.ts';

/** Why a message did not leave, in plain words; the page loads the catalogue `outbox`. */
export function sayRefusal({ code, values }: Pick<ApiFailure, 'code' | 'values'>): string {
  return findText(`outbox.refused.${code}`, values) ?? textOfCode(code);
}

/** How far a message in the outbox is. */
export function sayState({ state, progress, failure }: OutboxItem): string {
  if (state === 'failed' && failure) return sayRefusal(failure);
  if (state === 'uploading') return t('outbox.state.uploading', { n: Math.round((progress ?? 0) * 100) });
  return t(`outbox.state.${state === 'failed' ? 'pending' : state}`);
}
