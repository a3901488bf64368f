import { t } from '../../shared/messages.ts';

/** What a search without a connection covers: so many rows on this device, or none. */
export function offlineSearchText(searched: number): string {
  return searched === 0 ? t('common.offlineNoSearch') : t('common.offlineSearch', { n: searched });
}
