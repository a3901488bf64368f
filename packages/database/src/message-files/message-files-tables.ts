import { fileKinds, fileStates } from '@app/domain/message-files/file-state';
import { bigint, boolean, integer, pgTable, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const time = (name: string) => timestamp(name, { withTimezone: true });

export const messageFiles = pgTable('message_files', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  messageId: uuid('message_id'),
  contactId: uuid('contact_id'),
  userId: uuid('user_id'),
  channelId: uuid('channel_id'),
  kind: text({ enum: fileKinds }).notNull(),
  mimeType: text('mime_type'),
  name: text(),
  size: bigint({ mode: 'number' }),
  /** Hexadecimal. */
  sha256: text(),
  voice: boolean().notNull().default(false),
  animated: boolean().notNull().default(false),
  platformId: text('platform_id'),
  platformExpiresAt: time('platform_expires_at'),
  state: text({ enum: fileStates }).notNull().default('waiting'),
  errorCode: text('error_code'),
  attempts: smallint().notNull().default(0),
  nextTryAt: time('next_try_at'),
  width: integer(),
  height: integer(),
  durationMs: integer('duration_ms'),
  waveform: smallint().array(),
  content: text(),
  thumbnail: text(),
  createdAt: time('created_at').notNull().defaultNow(),
  storedAt: time('stored_at'),
  messageGoneAt: time('message_gone_at'),
});
