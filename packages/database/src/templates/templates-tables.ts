import type { TemplateCategoryName, TemplateComponent, TemplateStatus } from '@app/domain/templates/template';
import { integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

export const templates = pgTable('templates', {
  id: uuid().primaryKey(),
  workspaceId: uuid('workspace_id').notNull(),
  name: text().notNull(),
  category: text().$type<TemplateCategoryName>().notNull().default('general'),
  language: text().notNull().default('en'),
  status: text().$type<TemplateStatus>().notNull().default('draft'),
  components: jsonb().$type<TemplateComponent[]>().notNull(),
  /** The body's text. */
  content: text().notNull(),
  variables: text().array().notNull().default([]),
  headerMediaId: uuid('header_media_id'),
  platformName: text('platform_name'),
  platformTemplateId: text('platform_template_id'),
  platformStatus: text('platform_status'),
  platformCategory: text('platform_category'),
  rejectionReason: text('rejection_reason'),
  rejectionText: text('rejection_text'),
  quality: text(),
  submittedAt: timestamp('submitted_at', { withTimezone: true }),
  /** When what the platform told last of its status was so; null as long as it told nothing. */
  statusToldAt: timestamp('status_told_at', { withTimezone: true }),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  updatedAt: timestamp('updated_at', { withTimezone: true }),
  version: integer().notNull().default(1),
});
