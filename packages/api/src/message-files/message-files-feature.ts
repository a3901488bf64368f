import type { ServerFeature } from '../platform/features/server-feature.ts';
import { fetchDueFiles, fetchLargeMessageFile, fetchMessageFiles } from './fetch-jobs.ts';
import { videoPictureFiles } from './video-picture.ts';
import { messageFilesApi } from './message-files-api.ts';
import { uploadFiles } from './upload-file.ts';
import { messageFilesPersonData } from './message-files-person-data.ts';
import { pruneFiles } from './prune-files.ts';
import { messageFilesFiles } from './serve-files.ts';
import { tidyFiles } from './tidy-files.ts';

export const messageFilesFeature = {
  name: 'message-files',
  router: { messageFiles: messageFilesApi },
  files: () => [...messageFilesFiles, ...uploadFiles(), ...videoPictureFiles],
  personData: messageFilesPersonData,
  jobs: [fetchMessageFiles, fetchLargeMessageFile],
  upkeep: { often: [fetchDueFiles, tidyFiles], seldom: [pruneFiles] },
} satisfies ServerFeature;
