import { SAMPLE_ACCOUNTS } from '@app/api/auth/seed-accounts';
import { SAMPLE_PASSWORD } from '@app/domain/auth/sample-addresses';
import type { Config } from './config.ts';

/** What a person who typed the one command needs to know next. */
export function greet({ publicUrl, sandboxUrl, roles }: Config, hasSample: boolean): string {
  if (!roles.web) return 'The worker is ready.';
  const lines = [`Ready at ${publicUrl}`];
  if (hasSample) lines.push(`Sample sign-in: ${SAMPLE_ACCOUNTS[0].email} / ${SAMPLE_PASSWORD}`);
  if (sandboxUrl) lines.push(`Sandbox (phones, mail, faults): ${sandboxUrl}`);
  return lines.join('\n');
}
