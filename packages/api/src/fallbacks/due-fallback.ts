/** A decision that can be taken now, claimed by one process. */
export type DueFallback = {
  runNo: string;
  seq: number;
  workspaceId: string;
  campaignId: string;
  state: 'revoking' | 'ready';
  tries: number;
};
