import { orpc, type api } from '../../shared/api.ts';

export type Retention = Awaited<ReturnType<typeof api.dataManagement.getRetention>>;
export type Archive = Awaited<ReturnType<typeof api.dataManagement.listArchives>>['items'][number];
export type ArchiveImport = Awaited<
  ReturnType<typeof api.dataManagement.listArchiveReadings>
>['items'][number];
export type RetentionPreview = Awaited<ReturnType<typeof api.dataManagement.previewRetention>>;

/** What the workspace holds. */
export function dataOptions() {
  return orpc.dataManagement.summarize.queryOptions({ input: {} });
}

/** What starting for real asks of whoever is signed in; their password may have changed meanwhile. */
export function startOptions() {
  return orpc.dataManagement.previewStart.queryOptions({ input: {}, gcTime: 0 });
}

/** The newest imports of whole files. */
export function dataImportsOptions() {
  return orpc.dataManagement.listImports.queryOptions({ input: {} });
}

/** What the product backs up by itself. */
export function backupsOptions() {
  return orpc.dataManagement.listBackups.queryOptions({ input: {} });
}

/** Whole archives that lie ready. */
export function archivesOptions() {
  return orpc.dataManagement.listArchives.queryOptions({ input: {} });
}

/** Archives that came to be read in, and those that were. */
export function archiveImportsOptions() {
  return orpc.dataManagement.listArchiveReadings.queryOptions({ input: {} });
}

/** How long the workspace keeps what. */
export function retentionOptions() {
  return orpc.dataManagement.getRetention.queryOptions({ input: {} });
}
