import { orpc } from '../../shared/api.ts';

/** What the workspace holds. */
export function dataOptions() {
  return orpc.dataManagement.summarize.queryOptions({ input: {} });
}

/** The newest imports of whole files. */
export function dataImportsOptions() {
  return orpc.dataManagement.listImports.queryOptions({ input: {} });
}

/** What the product backs up by itself. */
export function backupsOptions() {
  return orpc.dataManagement.listBackups.queryOptions({ input: {} });
}
