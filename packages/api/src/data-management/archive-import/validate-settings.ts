import { segmentRules } from '@app/contracts/segments/segments-contract';
import { general, messaging } from '@app/contracts/settings/settings-contract';
import { templateComponent } from '@app/contracts/templates/templates-contract';
import { ArchiveInvalid } from '@app/database/backup/read-in/staged-archive';
import { z } from 'zod';
import { findGeneralSettings } from '../../settings/general-settings.ts';
import { findMessagingSettings } from '../../settings/messaging-settings.ts';
import type { ReadScope } from '../../platform/workspace-scope.ts';

/** Documents of these are read by pages of the product: they have the form that a person could have saved. */
const DOCUMENTS = {
  segments: { column: 'rules', schema: segmentRules },
  templates: { column: 'components', schema: z.array(templateComponent) },
} as const;

/**
 * Judges settings and documents as they stand after reading in, by what the contract promises of them.
 * @throws {ArchiveInvalid}
 */
export async function validateSettings(scope: ReadScope): Promise<void> {
  const { version: _, ...ofGeneral } = await findGeneralSettings(scope);
  const { version: __, ...ofMessaging } = await findMessagingSettings(scope);
  judge('general settings', general, ofGeneral);
  judge('messaging settings', messaging, ofMessaging);
  for (const [table, { column, schema }] of Object.entries(DOCUMENTS)) {
    const { rows } = await scope.query<{ document: unknown }>(
      `SELECT ${column} AS document FROM ${table} WHERE workspace_id = $1`,
      [scope.workspaceId],
    );
    for (const { document } of rows) judge(table, schema, document);
  }
}

function judge(what: string, schema: z.ZodType, value: unknown): void {
  const read = schema.safeParse(value);
  if (!read.success) throw new ArchiveInvalid(`${what}: ${read.error.issues[0]?.path.join('.') ?? ''}`);
}
