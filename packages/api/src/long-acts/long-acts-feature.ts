import type { ServerFeature } from '../platform/features/server-feature.ts';
import { forgetOldActs } from '../platform/long-acts/forget-acts.ts';
import { forgetOldFiles } from '../platform/long-acts/forget-files.ts';
import { actFiles } from './act-file.ts';
import { longActsApi } from './long-acts-api.ts';
import { takeUpLostActs } from './lost-acts.ts';

export const longActsFeature = {
  name: 'long-acts',
  router: { longActs: longActsApi },
  files: () => actFiles,
  upkeep: { often: [takeUpLostActs, forgetOldFiles], seldom: [forgetOldActs] },
} satisfies ServerFeature;
