import type { MediaPurpose, MediaType } from '@app/domain/media/media';
import { bigint, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

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
});

/** What platforms have of it, each for one number of ours. */
export const mediaCopies = pgTable(
  'media_copies',
  {
    workspaceId: uuid('workspace_id').notNull(),
    mediaId: uuid('media_id').notNull(),
    channelId: uuid('channel_id').notNull(),
    platformId: text('platform_id').notNull(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.mediaId, table.channelId] })],
);

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
