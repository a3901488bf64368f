import type { QuietHours } from '@app/domain/campaigns/quiet-hours';
import type { Role, RolePermissionOverrides } from '@app/domain/auth/permissions';
import { DEFAULT_BUSINESS_NAME } from '@app/domain/settings/general-settings';
import { logoAddress } from '@app/domain/settings/logo';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import type { Session } from '../../platform/request-context.ts';

/** What is read of a person (`u`), their place (`m`) and workspace (`w`), whatever they prove themselves with. */
export const personColumns = `u.id AS user_id, u.email, u.first_name, u.last_name, u.image, u.timezone, u.language, u.preferences,
  w.id AS workspace_id, w.slug, w.name AS workspace_name, w.settings->>'businessName' AS business_name, w.settings->>'logo' AS logo, w.settings->'quietHours' AS quiet_hours, w.is_sample, m.role, w.role_permissions`;

export type PersonRow = {
  user_id: string;
  email: string;
  first_name: string;
  last_name: string;
  image: string | null;
  timezone: string;
  language: InterfaceLanguage | null;
  preferences: Record<string, unknown>;
  workspace_id: string;
  slug: string;
  workspace_name: string;
  business_name: string | null;
  logo: string | null;
  quiet_hours: QuietHours | null;
  is_sample: boolean;
  role: Role;
  role_permissions: RolePermissionOverrides;
};

/** The person of such a row, in their workspace. */
export function describePerson(
  row: PersonRow,
): Pick<
  Session,
  | 'user'
  | 'workspaceId'
  | 'workspaceSlug'
  | 'workspaceName'
  | 'businessName'
  | 'logo'
  | 'quietHours'
  | 'isSample'
  | 'role'
> {
  return {
    user: {
      id: row.user_id,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
      avatar: row.image,
      timezone: row.timezone,
      language: row.language,
      preferences: row.preferences,
    },
    workspaceId: row.workspace_id,
    workspaceSlug: row.slug,
    workspaceName: row.workspace_name,
    businessName: row.business_name ?? DEFAULT_BUSINESS_NAME,
    logo: row.logo && logoAddress(row.logo),
    quietHours: row.quiet_hours,
    isSample: row.is_sample,
    role: row.role,
  };
}
