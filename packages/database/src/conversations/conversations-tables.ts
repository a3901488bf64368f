import { conversationStatuses } from '@app/domain/conversations/conversation-status';
import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

export const conversations = pgTable('conversations', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  contactId: uuid('contact_id').notNull(),
  channelId: uuid('channel_id').notNull(),
  status: text({ enum: conversationStatuses }).notNull(),
  snoozedUntil: time('snoozed_until'),
  isArchived: boolean('is_archived').notNull(),
  assigneeId: uuid('assignee_id'),
  teamId: uuid('team_id'),
  labels: text().array().notNull(),
  unread: integer().notNull(),
  lastMessageId: uuid('last_message_id'),
  lastMessageType: text('last_message_type'),
  lastMessageDirection: text('last_message_direction', { enum: ['in', 'out'] }),
  lastMessageAt: time('last_message_at'),
  lastActivityAt: time('last_activity_at').notNull(),
  lastInboundAt: time('last_inbound_at'),
  lastOutboundAt: time('last_outbound_at'),
  waitingSince: time('waiting_since'),
  windowEndsAt: time('window_ends_at'),
  openedAt: time('opened_at'),
  botState: jsonb('bot_state').$type<Record<string, unknown>>(),
  version: integer().notNull(),
  createdAt: time('created_at').notNull(),
});
