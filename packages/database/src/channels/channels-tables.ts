import { boolean, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const channels = pgTable('channels', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  kind: text().$type<'whatsapp' | 'rcs'>().notNull(),
  phoneNumberId: text('phone_number_id').notNull(),
  businessAccountId: text('business_account_id').notNull(),
  appId: text('app_id').notNull(),
  displayPhoneNumber: text('display_phone_number').notNull().default(''),
  graphBaseUrl: text('graph_base_url').notNull(),
  accessTokenEncrypted: text('access_token_encrypted').notNull(),
  appSecretEncrypted: text('app_secret_encrypted').notNull(),
  verifyTokenEncrypted: text('verify_token_encrypted').notNull(),
  isConnected: boolean('is_connected').notNull().default(false),
  stoppedCode: integer('stopped_code'),
  stoppedReason: text('stopped_reason'),
  /** When a person last let it send again: older notices of the platform stop it no more. */
  resumedAt: timestamp('resumed_at', { withTimezone: true }),
  messagesPerSecond: integer('messages_per_second').notNull().default(80),
  lastSyncAt: timestamp('last_sync_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});
