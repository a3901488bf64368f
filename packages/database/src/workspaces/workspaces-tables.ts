import { boolean, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { RetentionSettings } from '@app/domain/data-management/retention';
import type { NotificationChoices } from '@app/domain/notifications/notification-choices';
import type { GeneralSettings, StoredProfile } from '@app/domain/settings/general-settings';
import type { MessagingSettings } from '@app/domain/settings/messaging-settings';
import type { SettingsPart } from '@app/domain/settings/settings-facts';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';

export const workspaces = pgTable('workspaces', {
  id: uuid().primaryKey(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  isSample: boolean('is_sample').notNull().default(false),
  settings: jsonb().$type<WorkspaceSettings>().notNull().default({}),
  rolePermissions: jsonb('role_permissions').$type<Record<string, string[]>>().notNull().default({}),
  trialEndsAt: timestamp('trial_ends_at', { withTimezone: true }),
  plan: text().notNull().default('starter'),
  /** Of mails to people who chose no language of their own. */
  language: text().$type<InterfaceLanguage>().notNull().default('en'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

/** What the workspace has set; everything else has the default of the domain. */
export type WorkspaceSettings = Partial<Omit<GeneralSettings, 'language'> & MessagingSettings> & {
  /** Price of one message in US dollars, for estimates. */
  pricePerMessage?: number;
  /** Of numbers that show another profile than the workspace, by their id. */
  numberProfiles?: Record<string, StoredProfile>;
  /** How long what is kept, in days. */
  retention?: RetentionSettings;
  /** What people are told of who have chosen nothing, by option. */
  notices?: NotificationChoices['options'];
  /** How often each part was saved. */
  versions?: Partial<Record<SettingsPart, number>>;
};
