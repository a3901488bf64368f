import type { RunCounters, RunState } from '@app/domain/delivery/recipient-state';

/** What the engine tells the rest of the product; at most four progress events per run and second. */
export type DeliveryEvent = {
  kind: 'run_progress' | 'run_state';
  workspaceId: string;
  campaignId: string;
  runNo: number;
  state: RunState;
  counters: RunCounters;
  /** Set while paused. */
  pause: RunPause | null;
};

export type RunPause = {
  reason: PauseReason;
  /** The platform's code when it asked for the pause. */
  code: string | null;
  detail: string | null;
  /** Milliseconds since 1970 when the run goes on by itself; null when somebody has to act. */
  resumeAt: number | null;
};

export type PauseReason =
  | 'operator'
  | 'daily_limit'
  /** The budget of the month is used up. */
  | 'budget'
  | 'quiet_hours'
  /** Too much failed. */
  | 'failures'
  /** The platform finds the quality of its number, or of its template, poor. */
  | 'number_quality'
  | 'template_quality'
  /** What it carries was paused, is a draft again or was deleted. */
  | 'content_not_active'
  | 'channel_stopped'
  | 'campaign_stopped'
  | 'channel_missing'
  /** A backup was restored: what left since is known to nobody here. */
  | 'restored';
