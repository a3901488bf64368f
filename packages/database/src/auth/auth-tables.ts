import { boolean, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { Role } from '@app/domain/auth/permissions';

const instant = (name: string) => timestamp(name, { withTimezone: true });

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  email: text().notNull(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text(),
  firstName: text('first_name').notNull().default(''),
  lastName: text('last_name').notNull().default(''),
  phoneNumber: text('phone_number'),
  lastLoginAt: instant('last_login_at'),
  timezone: text().notNull().default('UTC'),
  /** Null until they choose one. */
  language: text().$type<InterfaceLanguage>(),
  preferences: jsonb().$type<Record<string, unknown>>().notNull().default({}),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const sessions = pgTable('sessions', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  /** A secret that opens the account: it leaves the server in the HttpOnly cookie only. */
  token: text().notNull(),
  expiresAt: instant('expires_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  /** Somebody ended it before its time. */
  endedAt: instant('ended_at'),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const accounts = pgTable('accounts', {
  id: uuid().primaryKey(),
  userId: uuid('user_id').notNull(),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: instant('access_token_expires_at'),
  refreshTokenExpiresAt: instant('refresh_token_expires_at'),
  scope: text(),
  password: text(),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const verifications = pgTable('verifications', {
  id: uuid().primaryKey(),
  identifier: text().notNull(),
  value: text().notNull(),
  expiresAt: instant('expires_at').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
});

export const memberships = pgTable('memberships', {
  workspaceId: uuid('workspace_id').notNull(),
  userId: uuid('user_id').notNull(),
  role: text().$type<Role>().notNull(),
  requestedRole: text('requested_role').$type<Role>(),
  /** False for who was deactivated here, and for who waits to be let in. */
  isActive: boolean('is_active').notNull().default(true),
  lastSeenAt: instant('last_seen_at'),
  isIdle: boolean('is_idle').notNull().default(false),
  version: integer().notNull().default(1),
  createdAt: instant('created_at').notNull().defaultNow(),
});
