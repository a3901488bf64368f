import { useEffect } from 'react';
import { t } from './messages.ts';

/** Names the document of a public page. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Welcome back · WhatsApp Marketing Pro */
export function withBrand(title: string): string {
  return `${title} · ${t('common.brand')} ${t('common.brandSubtitle')}`;
}
