import { formatList } from '../formats.ts';
import { t } from '../messages.ts';

/** Why a form cannot be saved yet: the labels of the fields that are still empty. */
export function stillNeeded(...fields: readonly string[]): string {
  return t('common.stillNeeded', { fields: formatList(fields, 'and') });
}
