import type { NumberStanding } from '@app/domain/channels/number-standing';
import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

/** What opens a channel, by the names of its kind's form. Each secret is sealed, so that everything else can be read and changed without the key. */
export type StoredCredentials = {
  /** Of the form under which it was written. */
  version: number;
  values: Readonly<Record<string, string>>;
  secrets: Readonly<Record<string, string>>;
};

export const channels = pgTable('channels', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  /** One of those that the host registers. */
  kind: text().notNull(),
  /** What the platform calls the number or agent. */
  address: text().notNull(),
  /** How people know it. */
  displayName: text('display_name').notNull().default(''),
  credentials: jsonb().$type<StoredCredentials>().notNull(),
  isConnected: boolean('is_connected').notNull().default(false),
  stoppedCode: text('stopped_code'),
  stoppedReason: text('stopped_reason'),
  /** Everything that it sends, or what the business begins itself. */
  stoppedFor: text('stopped_for').$type<'everything' | 'campaigns'>(),
  /** Of when the newest refusal or notice is that stopped it. */
  stoppedAt: timestamp('stopped_at', { withTimezone: true }),
  /** When a person, or the platform by a word of its own, last let it send again: older notices of the platform stop it no more. */
  resumedAt: timestamp('resumed_at', { withTimezone: true }),
  messagesPerSecond: integer('messages_per_second').notNull(),
  lastSyncAt: timestamp('last_sync_at', { withTimezone: true }),
  /** Of the business account, as the platform knows it. */
  accountName: text('account_name').notNull().default(''),
  /** The workspace sends through it where nobody chooses another. */
  isDefault: boolean('is_default').notNull().default(false),
  /** What the platform said last against what opens it; null when nothing. */
  trouble: text(),
  /** What that is about, such as the permissions that are missing. */
  troubleDetail: text('trouble_detail'),
  troubleAt: timestamp('trouble_at', { withTimezone: true }),
  /** What the platform said last of the number, and when it was asked; null before the first time. */
  standing: jsonb().$type<NumberStanding>(),
  askedAt: timestamp('asked_at', { withTimezone: true }),
  /** When what opens it ends by itself, as the platform said last; null for never, or while it is not known. */
  credentialsEndAt: timestamp('credentials_end_at', { withTimezone: true }),
  /** Which end people were told of. */
  toldEndAt: timestamp('told_end_at', { withTimezone: true }),
  /** When what opens it was last proven by itself; null before the first time. */
  provenAt: timestamp('proven_at', { withTimezone: true }),
  /** How bringing templates in line with its account went last; null before the first time. */
  templatesSync: text('templates_sync').$type<'running' | 'done' | 'failed'>(),
  /** Why it failed: the platform's code, and its sentence. */
  templatesSyncCode: text('templates_sync_code'),
  templatesSyncReason: text('templates_sync_reason'),
  templatesSyncAt: timestamp('templates_sync_at', { withTimezone: true }),
  version: integer().notNull().default(1),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
