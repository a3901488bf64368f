import type { MediaPurpose, MediaType } from '@app/domain/media/media';
import { bigint, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const size = (name: string) => bigint(name, { mode: 'number' });
const time = (name: string) => timestamp(name, { withTimezone: true });

export const media = pgTable('media', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  name: text().notNull(),
  type: text().$type<MediaType>().notNull(),
  mimeType: text('mime_type').notNull(),
  size: size('size').notNull(),
  /** Hexadecimal. */
  sha256: text().notNull(),
  storageKey: text('storage_key').notNull(),
  uploadedBy: uuid('uploaded_by'),
  uploadedAt: time('uploaded_at').notNull().defaultNow(),
  platformMediaId: text('platform_media_id'),
  platformExpiresAt: time('platform_expires_at'),
});

export const mediaUploads = pgTable('media_uploads', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  userId: uuid('user_id').notNull(),
  name: text().notNull(),
  purpose: text().$type<MediaPurpose>().notNull(),
  size: size('size').notNull(),
  received: size('received').notNull().default(0),
  /** Where in the file each stored part begins, in order. */
  partOffsets: size('part_offsets').array().notNull().default([]),
  createdAt: time('created_at').notNull().defaultNow(),
});
