import { newId } from '@app/database/new-id';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type pg from 'pg';
import { addressLinkMail } from './address-link-mail.ts';
import type { AuthParts } from '../auth-parts.ts';

type Addressee = { email: string; language: InterfaceLanguage };

/** Leaves a mail with a link that confirms the address, if an account with it waits for that when the mail goes out. */
export async function enqueueAddressLink(
  { jobs }: Pick<AuthParts, 'jobs'>,
  client: pg.PoolClient,
  { email, language }: Addressee,
): Promise<void> {
  await jobs.enqueue(client, addressLinkMail, newId(), { email, language });
}

/** Another one, for who knows the password; not more than their mail box would bear. */
export async function sendAddressLink(parts: AuthParts, addressee: Addressee): Promise<void> {
  if (!parts.resetMailLimit.begin(`confirm ${addressee.email}`).isAllowed) return;
  await parts.db.inSystem((_, client) => enqueueAddressLink(parts, client, addressee));
}
