import type { DeliveryError } from '@app/domain/messaging/rejection';
import { isRecord } from './json-reading.ts';

export type GraphError = DeliveryError & { transient: boolean };

/** Reads the Graph error envelope, or returns undefined when the value is not one. Phone numbers and tokens are masked. */
export function readGraphError(value: unknown, httpStatus?: number): GraphError | undefined {
  if (!isRecord(value) || !isRecord(value['error'])) return undefined;
  const error = value['error'];
  const code = error['code'];
  if (typeof code !== 'number' && typeof code !== 'string') return undefined;
  return { ...readErrorFields(error, String(code), httpStatus), transient: error['is_transient'] === true };
}

/** Reads one element of an `errors` array in a webhook. */
export function readWebhookError(value: unknown): DeliveryError {
  if (!isRecord(value)) return { code: 'unknown', title: '' };
  const code = value['code'];
  return readErrorFields(
    value,
    typeof code === 'number' || typeof code === 'string' ? String(code).slice(0, 40) : 'unknown',
  );
}

function readErrorFields(error: Record<string, unknown>, code: string, httpStatus?: number): DeliveryError {
  const data = error['error_data'];
  const details = isRecord(data) ? data['details'] : data;
  const title = firstText(error['title'], error['error_user_title'], error['message']) ?? '';
  const result: DeliveryError = { code, title: maskSecrets(title.replace(/^\(#\d+\)\s*/, '')) };
  const detailText = firstText(details, error['error_user_msg']);
  if (detailText !== undefined) result.details = maskSecrets(detailText);
  const subcode = error['error_subcode'];
  if (typeof subcode === 'number' || typeof subcode === 'string') result.subcode = String(subcode);
  const trace = error['fbtrace_id'];
  if (typeof trace === 'string') result.traceId = trace;
  if (httpStatus !== undefined) result.httpStatus = httpStatus;
  return result;
}

/** Graph sometimes repeats the number or the token that it refuses; neither may reach a log or an export. */
function maskSecrets(text: string): string {
  return text
    .replace(/\bEA[A-Za-z0-9]{20,}\b/g, '[token]')
    .replace(/\+?\d(?:[ .-]?\d){8,17}/g, '[number]')
    .slice(0, 1000);
}

function firstText(...values: unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
