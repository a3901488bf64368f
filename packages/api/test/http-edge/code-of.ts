import { errorTable } from '@app/contracts/errors';
import type { ApiResponse } from '../api-fixture.ts';

/** The code of a refusal in the one form, with a status and nothing beside it; else what stands in its place. */
export async function codeOf(response: ApiResponse): Promise<string> {
  const text = await response.text();
  if (response.status < 400) return `answered ${response.status}`;
  try {
    const { error, ...others } = JSON.parse(text);
    const { code, message, details, ...more } = error;
    const status = errorTable[code as keyof typeof errorTable]?.status;
    const isWhole =
      status === response.status &&
      typeof message === 'string' &&
      (details === undefined || typeof details === 'object') &&
      Object.keys({ ...others, ...more }).length === 0;
    return isWhole ? code : `${response.status} ${text}`;
  } catch {
    return `${response.status} ${text}`;
  }
}
