import type { ActivityType } from '@app/domain/activity/activity-rules';
import { sql } from 'drizzle-orm';
import { jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const presenceStreams = pgTable('presence_streams', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  userId: uuid('user_id').notNull(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
});

export const activities = pgTable('activities', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  userId: uuid('user_id'),
  userName: text('user_name').notNull(),
  type: text().$type<ActivityType>().notNull(),
  resource: text().notNull(),
  /** The sentence of an entry that no fact stands for; its reader's language makes all others. */
  description: text(),
  factType: text('fact_type'),
  values: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  subjectId: uuid('subject_id'),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  metadata: jsonb().$type<Record<string, unknown>>().notNull(),
  occurredAt: timestamp('occurred_at', { withTimezone: true }).notNull(),
  /** Made by the database from the sentence or fact and its values, name and resource. */
  searchText: text('search_text').generatedAlwaysAs(sql`(see the migrations)`),
});
