import type { AbPlan, AbRule, AbVerdict } from '@app/domain/campaigns/ab-test/ab-test';
import type { Proportion } from '@app/domain/campaigns/ab-test/proportions';
import type { CampaignStatus } from '@app/domain/campaigns/campaign-status';
import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { SegmentRules } from '@app/domain/segments/segment-rules';
import type { PlannedAudience, PlannedExcept } from '@app/domain/delivery/audience';
import type { RunVariable } from '@app/domain/delivery/run-message';
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  pgView,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

export type CampaignVariables = Record<string, RunVariable>;

/** What goes to whom the message of a campaign does not reach, and after how many seconds. */
export type CampaignFallback = {
  channelId: string;
  templateId: string;
  variables: CampaignVariables;
  afterSeconds: number;
};

/** What a variant of a test says, with the name of its template or content as it was when it was chosen. */
export type CampaignVariant = {
  message:
    | { templateId: string; inContactLanguage?: boolean | undefined }
    | { customMessage: string }
    | { contentId: string };
  name: string | null;
  variables: CampaignVariables;
  share: number;
};

/** The rule of a test and its variants from the second on; the first is the message of the campaign itself, with `share`. */
export type CampaignAbTest = AbRule & { share: number; variants: CampaignVariant[] };

/** What became of a test since its start. Times are ISO strings. */
export type CampaignAbResult = {
  plan: AbPlan;
  /** Since all its messages left. */
  endsAt?: string;
  verdict?: AbVerdict & { at: string; figures: Proportion[] };
  chosen?: { at: string; variant: number; by: 'rule' | 'person' };
};

/** A segment that the audience names, as it was when the campaign was saved, or when its sending began. */
export type CampaignSegment = { id: string; name: string; rules: SegmentRules };

/** What a held start changed, as it was before, and who started it (`callerKey`). */
export type BeforeStart = {
  startedBy?: string;
  channelId: string | null;
  pauseReason: string | null;
  pauseDetail: string | null;
  segments: CampaignSegment[];
  audienceSize: number;
  pricePerMessage: number;
  priceCurrency: string;
};

/** Whom a retry leaves out, as the first of its campaigns planned it, with the segments of then. */
export type LeftOutOfRetry = {
  except?: readonly PlannedExcept[] | undefined;
  restDays?: number | undefined;
  segments: CampaignSegment[];
};

const time = (name: string) => timestamp(name, { withTimezone: true });

const shared = {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  name: text().notNull(),
  kind: text().$type<'campaign' | 'bulk'>().notNull().default('campaign'),
  templateId: uuid('template_id'),
  templateName: text('template_name'),
  customMessage: text('custom_message'),
  /** A stored content of a channel kind, with its name as it was when it was chosen. */
  contentId: uuid('content_id'),
  contentName: text('content_name'),
  /** The template in the language of each contact, where there are several. */
  inContactLanguage: boolean('in_contact_language').notNull().default(false),
  variables: jsonb().$type<CampaignVariables>().notNull(),
  fallback: jsonb().$type<CampaignFallback>(),
  fallbackDoneAt: timestamp('fallback_done_at', { withTimezone: true }),
  /** Each contact gets it in the hour in which they read most. */
  bestTime: boolean('best_time').notNull().default(false),
  abTest: jsonb('ab_test').$type<CampaignAbTest>(),
  abResult: jsonb('ab_result').$type<CampaignAbResult>(),
  /** A person confirmed that placeholders without a value leave as they are written. */
  allowMissingValues: boolean('allow_missing_values').notNull().default(false),
  audience: jsonb().$type<PlannedAudience>().notNull(),
  audienceSize: integer('audience_size').notNull(),
  segments: jsonb().$type<CampaignSegment[]>().notNull().default([]),
  scheduledAt: time('scheduled_at'),
  quietHours: jsonb('quiet_hours').$type<QuietHours>(),
  pricePerMessage: doublePrecision('price_per_message').notNull().default(0.05),
  priceCurrency: text('price_currency').notNull().default('USD'),
  createdBy: uuid('created_by'),
  createdAt: time('created_at').notNull().defaultNow(),
  updatedAt: time('updated_at').notNull().defaultNow(),
  version: integer().notNull().default(1),
  /** The number that it leaves through: of its choice, or where it left when it began. */
  channelId: uuid('channel_id'),
  runNo: bigint('run_no', { mode: 'number' }),
  pauseReason: text('pause_reason'),
  pauseDetail: text('pause_detail'),
};

export const campaigns = pgTable('campaigns', {
  ...shared,
  status: text().$type<'draft' | 'scheduled' | 'paused' | 'cancelled'>().notNull().default('draft'),
  beforeStart: jsonb('before_start').$type<BeforeStart>(),
  leftOut: jsonb('left_out').$type<LeftOutOfRetry>(),
  countsLinks: boolean('counts_links').notNull().default(true),
});

const count = (name: string) => integer(name).notNull();

/** A campaign with the status and counts of its run. */
export const campaignsNow = pgView('campaigns_now', {
  ...shared,
  status: text().$type<CampaignStatus>().notNull(),
  pauseCode: text('pause_code'),
  startedAt: time('started_at'),
  completedAt: time('completed_at'),
  /** Until when nothing leaves and the start can be taken back; null once that is over. */
  heldUntil: time('held_until'),
  /** How many milliseconds of that are left, by the clock of the database. */
  heldForMs: integer('held_for_ms'),
  total: count('total'),
  pending: count('pending'),
  sent: count('sent'),
  delivered: count('delivered'),
  read: count('read'),
  failed: count('failed'),
  cancelled: count('cancelled'),
  unknown: count('unknown'),
  /** Of `cancelled`: who was chosen and may not have got it when sending began. */
  excluded: count('excluded'),
}).existing();
