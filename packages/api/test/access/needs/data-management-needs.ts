import type { FeatureNeeds } from './feature-needs.ts';

export const dataManagementNeeds: FeatureNeeds = {
  endpoints: {
    'settings:manage users:delete': 'dataManagement.startForReal dataManagement.previewStart',
    'settings:manage contacts:read templates:read campaigns:read': 'dataManagement.startExport',
    'settings:manage contacts:read templates:read campaigns:read messages:read':
      'dataManagement.startArchive dataManagement.checkArchive',
    'settings:manage contacts:create contacts:delete messages:read templates:create templates:delete campaigns:create campaigns:delete':
      'dataManagement.replaceByArchive dataManagement.undoArchive',
    'settings:manage contacts:update contacts:delete templates:delete campaigns:delete':
      'dataManagement.undoImport',
    'settings:read': 'dataManagement.getRetention dataManagement.listArchives',
    'settings:manage': `dataManagement.summarize dataManagement.clear dataManagement.listImports dataManagement.getImport
      dataManagement.listBackups dataManagement.previewRetention dataManagement.updateRetention dataManagement.deleteArchive
      dataManagement.listArchiveReadings dataManagement.dropArchiveReading`,
  },
  addresses: {
    'settings:manage contacts:read templates:read campaigns:read messages:read': [
      'GET /api/data/archives/:archiveId/file',
      'POST /api/data/archive-readings',
    ],
    'settings:manage contacts:create contacts:update templates:create templates:update campaigns:create': [
      'POST /api/data/imports',
    ],
    'settings:manage contacts:create contacts:delete messages:read templates:create templates:delete campaigns:create campaigns:delete':
      ['POST /api/data/replacements'],
  },
  reauthentication: [
    'dataManagement.startExport',
    'dataManagement.startArchive',
    'dataManagement.clear',
    'dataManagement.startForReal',
    'dataManagement.updateRetention',
    'GET /api/data/archives/:archiveId/file',
    'POST /api/data/archive-readings',
    'POST /api/data/replacements',
    'dataManagement.checkArchive',
    'dataManagement.replaceByArchive',
    'dataManagement.undoArchive',
  ],
};
