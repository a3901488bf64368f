import { newId } from '@app/database/new-id';
import type { Operation } from '../platform/operations/present-operation.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { WorkspaceScope } from '../platform/workspace-scope.ts';
import { dataExport } from './export-operation.ts';
import { summarize } from './summarize-data.ts';

/** Begins the export of contacts, templates and campaigns as one file. Emits `data.exported`. */
export async function startDataExport(scope: WorkspaceScope, context: SignedInContext): Promise<Operation> {
  const { contacts, templates, campaigns } = await summarize(scope);
  await scope.emit({ type: 'data.exported', subject: scope.workspaceId, values: {} });
  const total = contacts + templates + campaigns;
  return startSteps(scope, context, dataExport, { id: newId(), kind: dataExport.name, total, wish: {} });
}
