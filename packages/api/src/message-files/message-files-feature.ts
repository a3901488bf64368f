import type { ServerFeature } from '../platform/features/server-feature.ts';
import { messageFilesPersonData } from './message-files-person-data.ts';

export const messageFilesFeature = {
  name: 'message-files',
  tables: {
    message_file_leavings: 'where bytes stood that nobody has any more, under keys of our own making',
  },
  personData: messageFilesPersonData,
} satisfies ServerFeature;
