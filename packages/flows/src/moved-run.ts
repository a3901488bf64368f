import type { FlowEffect, LogEntry, RunState } from '@app/domain/flows/run-state';

export type ClaimedRun = {
  id: string;
  flow_id: string;
  version: number;
  contact_id: string | null;
  state: RunState;
  seed: string;
  depth: number;
  is_test: boolean;
  attempt: number;
  flow_name: string;
  kind: 'workflow' | 'bot';
  version_key: string | null;
};

export type MovedRun = {
  run: ClaimedRun;
  state: RunState;
  log: readonly LogEntry[];
  /** Those whose outcome comes later. */
  effects: (FlowEffect & {
    hash: string;
    messageId: string | null;
    /** What the job that does it needs to know. */
    stored: Readonly<Record<string, unknown>> | null;
  })[];
};
