import type { ServerFeature } from '../platform/features/server-feature.ts';
import { approvalMail } from './approval-mail.ts';
import { factorsApi } from './factors-api.ts';
import { factorsResetMail } from './factors-reset-mail.ts';
import { invitationsApi } from './invitations-api.ts';
import { rolePermissionsApi } from './role-permissions-api.ts';
import { sessionsApi } from './sessions-api.ts';
import { usersApi } from './users-api.ts';

export const usersFeature = {
  name: 'users',
  router: {
    factors: factorsApi,
    invitations: invitationsApi,
    rolePermissions: rolePermissionsApi,
    sessions: sessionsApi,
    users: usersApi,
  },
  jobs: [approvalMail, factorsResetMail],
} satisfies ServerFeature;
