import type { QueryKey } from '@tanstack/react-query';
import { orpc } from '../api.ts';

/** All that a change of contacts may show in. */
export function contactKeys(): QueryKey[] {
  return [
    orpc.contacts.key(),
    orpc.contactImports.key(),
    orpc.contactMerges.key(),
    orpc.segments.key(),
    orpc.customFields.key(),
  ];
}
