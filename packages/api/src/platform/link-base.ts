import { LINKS_PATH } from '@app/domain/links/counted-link';
import type { ApiDependencies } from './request-context.ts';

/** What stands in front of the codes of counted links: `https://shop.example/l/`. */
export function linkBase({ publicUrl }: Pick<ApiDependencies, 'publicUrl'>): string {
  return `${publicUrl}${LINKS_PATH}`;
}
