import type { ServerFeature } from '../platform/features/server-feature.ts';
import { deleteOldOperations } from '../platform/operations/delete-operations.ts';
import { deleteOldFiles } from '../platform/operations/delete-files.ts';
import { operationFiles } from './operation-file.ts';
import { operationsApi } from './operations-api.ts';
import { takeUpLostOperations } from './lost-operations.ts';

export const operationsFeature = {
  name: 'operations',
  router: { operations: operationsApi },
  files: () => operationFiles,
  upkeep: { often: [takeUpLostOperations, deleteOldFiles], seldom: [deleteOldOperations] },
} satisfies ServerFeature;
