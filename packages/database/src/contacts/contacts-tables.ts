import type { CustomValues } from '@app/domain/custom-fields/custom-field';
import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const contacts = pgTable('contacts', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  name: text().notNull(),
  phone: text(),
  platformUserId: text('platform_user_id'),
  email: text(),
  language: text(),
  tags: text().array().notNull(),
  status: text({ enum: ['active', 'blocked'] }).notNull(),
  lastMessage: text('last_message'),
  lastMessageAt: timestamp('last_message_at', { withTimezone: true }),
  windowExpiresAt: timestamp('window_expires_at', { withTimezone: true }),
  optedOutAt: timestamp('opted_out_at', { withTimezone: true }),
  importId: uuid('import_id'),
  source: text(),
  customValues: jsonb('custom_values').$type<CustomValues>().notNull().default({}),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  updatedAt: timestamp('updated_at', { withTimezone: true }).notNull(),
  version: integer().notNull(),
});
