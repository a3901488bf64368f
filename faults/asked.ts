import type { TwoHosts } from './two-hosts.ts';

/** More than fit into one page of an export. */
export const EXPORTED = 12_000;

/** What was asked for, each once: what the audit looks for. */
export type Asked = {
  imports: { id: string; file: string; rows: number }[];
  removals: { id: string; tag: string }[];
  exports: string[];
  campaigns: string[];
  messages: string[];
  /** Words by which each mail is known. */
  mails: string[];
  erased: string[];
};

/** The same upload again under its id is one import. */
export async function sendFile({ ask }: TwoHosts, { id, file }: { id: string; file: string }): Promise<void> {
  await ask({ path: `/api/contacts/imports?importId=${id}&fileName=people.csv`, file });
}
