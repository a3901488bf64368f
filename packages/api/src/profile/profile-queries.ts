import type { z } from 'zod';
import type { profile as profileSchema } from '@app/contracts/profile/profile-contract';
import type { SqlQueries } from '@app/database/sql-queries';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { checkName, checkPhoneNumber, type SignUpProblem } from '@app/domain/auth/sign-up-rules';
import { HIDDEN_START } from '@app/domain/profile/hidden-start';
import { readPreferences, type Preferences } from '@app/domain/profile/preferences';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { SignedInContext } from '../platform/request-context.ts';
import { findEmailChange } from '../auth/email-change/ask-for-email.ts';
import type { OwnAccount } from '../platform/account/own-account.ts';

type Profile = z.infer<typeof profileSchema>;

export type ProfileChange = {
  firstName?: string | undefined;
  lastName?: string | undefined;
  phoneNumber?: string | undefined;
  timezone?: string | undefined;
};

type Row = {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  phone_number: string | null;
  image: string | null;
  timezone: string;
  language: InterfaceLanguage | null;
  preferences: Record<string, unknown>;
  login_alerts: boolean;
  has_password: boolean;
  last_login_at: Date | null;
  created_at: Date;
};

type Asking = Pick<SignedInContext, 'session' | 'sendsMail' | 'clock'>;

export async function readProfile(
  client: SqlQueries,
  { session, sendsMail, clock }: Asking,
): Promise<Profile> {
  const { user, role, method, permissions } = session;
  const { rows } = await client.query<Row>(
    `SELECT u.*, EXISTS (
         SELECT FROM accounts a WHERE a.user_id = u.id AND a.provider_id = 'credential' AND a.password IS NOT NULL) AS has_password
       FROM users u WHERE u.id = $1`,
    [user.id],
  );
  const row = rows[0]!; // the session that asks belongs to it
  const change = await findEmailChange(client, user.id, clock());
  return {
    ...{ id: row.id, email: row.email, firstName: row.first_name, lastName: row.last_name },
    ...{ phoneNumber: row.phone_number, avatar: row.image, role, isActive: true },
    ...{ timezone: row.timezone, language: row.language, preferences: readPreferences(row.preferences) },
    ...{ loginAlerts: row.login_alerts, hasPassword: row.has_password, signedInBy: method },
    newEmail: change?.email ?? null,
    emailChange: sendsMail ? 'link' : isPermitted(permissions, 'users:manage') ? 'at-once' : 'others',
    lastLoginAt: row.last_login_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

/** What is wrong with a change, by field; nothing for a good one. */
export function checkProfile({ firstName, lastName, phoneNumber }: ProfileChange): [string, SignUpProblem][] {
  const found: [string, SignUpProblem | null][] = [
    ['firstName', firstName === undefined ? null : checkName(firstName, 'firstName')],
    ['lastName', lastName === undefined ? null : checkName(lastName, 'lastName')],
    ['phoneNumber', phoneNumber === undefined ? null : checkPhoneNumber(phoneNumber)],
  ];
  return found.filter((entry): entry is [string, SignUpProblem] => entry[1] !== null);
}

/** Changes the fields that are named. Emits `account.profile_changed` if one of them had another value. */
export async function changeProfile(
  { client, userId, emit, now }: OwnAccount,
  { firstName, lastName, phoneNumber, timezone }: ProfileChange,
): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE users SET first_name = n.first, last_name = n.last, name = btrim(n.first || ' ' || n.last),
            phone_number = n.phone, timezone = n.zone, updated_at = $6
       FROM (SELECT coalesce($2, first_name) AS first, coalesce($3, last_name) AS last, coalesce($5, timezone) AS zone,
                    CASE WHEN $4::text IS NULL THEN phone_number ELSE nullif($4, '') END AS phone
               FROM users WHERE id = $1) n
      WHERE id = $1 AND (first_name, last_name, timezone, phone_number)
            IS DISTINCT FROM (n.first, n.last, n.zone, n.phone)`,
    [
      userId,
      ...[firstName?.trim() ?? null, lastName?.trim() ?? null, phoneNumber?.trim() ?? null],
      ...[timezone ?? null, now],
    ],
  );
  if (rowCount === 1) await emit({ type: 'account.profile_changed', subject: userId, values: {} });
}

/** Emits `account.preferences_changed` if a preference had another value. */
export async function changePreferences(
  { client, userId, emit }: OwnAccount,
  chosen: Partial<Preferences>,
): Promise<void> {
  const { rowCount } = await client.query(
    'UPDATE users SET preferences = preferences || $2::jsonb WHERE id = $1 AND preferences IS DISTINCT FROM preferences || $2::jsonb',
    [userId, JSON.stringify(chosen)],
  );
  if (rowCount === 1) await emit({ type: 'account.preferences_changed', subject: userId, values: {} });
}

/** The language of the interface. Emits `user.language_chosen` if it was another. */
export async function chooseOwnLanguage(
  { client, userId, emit, now }: OwnAccount,
  language: InterfaceLanguage,
): Promise<void> {
  const { rowCount } = await client.query(
    'UPDATE users SET language = $2, updated_at = $3 WHERE id = $1 AND language IS DISTINCT FROM $2',
    [userId, language, now],
  );
  if (rowCount === 1) await emit({ type: 'user.language_chosen', subject: userId, values: { language } });
}

/** Whether a mail reports a sign-in from a new device. Emits `account.login_alerts_switched` if it was the other way. */
export async function switchLoginAlerts({ client, userId, emit }: OwnAccount, isOn: boolean): Promise<void> {
  const { rowCount } = await client.query(
    'UPDATE users SET login_alerts = $2 WHERE id = $1 AND login_alerts <> $2',
    [userId, isOn],
  );
  if (rowCount === 1)
    await emit({ type: 'account.login_alerts_switched', subject: userId, values: { isOn } });
}

/** Stores whether the person hid the way to the first campaign in this workspace. */
export async function changeHiddenStart(
  { client, userId }: OwnAccount,
  workspaceId: string,
  isHidden: boolean,
): Promise<void> {
  const hidden = `coalesce(preferences -> '${HIDDEN_START}', '{}')`;
  await client.query(
    `UPDATE users SET preferences = preferences || jsonb_build_object('${HIDDEN_START}',
            ${isHidden ? `${hidden} || jsonb_build_object($2::text, true)` : `${hidden} - $2::text`})
      WHERE id = $1`,
    [userId, workspaceId],
  );
}
