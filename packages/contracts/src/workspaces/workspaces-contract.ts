import { roles } from '@app/domain/auth/permissions';
import { timeZones } from '@app/domain/profile/time-zones';
import { generalLimits } from '@app/domain/settings/general-settings';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { readWorkspaceName } from '@app/domain/workspaces/workspace-rules';
import { z } from 'zod';
import { endpoint, id } from '../endpoint.ts';

/** A workspace as one of its members sees it from outside. */
export const ownWorkspace = z.object({
  workspaceId: id,
  /** What the business calls itself. */
  name: z.string(),
  /** The caller's there. */
  role: z.enum(roles),
});

export const workspacesContract = {
  list: endpoint({
    method: 'GET',
    path: '/workspaces',
    access: 'signed-in',
    isForSetUp: true,
    inAnyWorkspace: true,
    summary:
      'The workspaces that the caller is a member of, by name; also where the request names one that is not theirs',
    input: z.object({}),
    output: z.object({
      workspaces: z.array(ownWorkspace),
      /** Whether the caller may create another one. */
      mayCreate: z.boolean(),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/workspaces',
    access: 'signed-in',
    repeat: 'keyed',
    summary: 'Creates a workspace whose only member, and admin, is the caller; for admins of another one',
    input: z.strictObject({
      name: z.string().transform(readWorkspaceName).pipe(z.string().min(1).max(generalLimits.businessName)),
      /** Without one that of the caller. */
      language: z.enum(interfaceLanguages).optional(),
      timeZone: z.enum(timeZones).optional(),
    }),
    output: z.object({ workspaceId: id }),
    errors: ['workspaces_by_admins', 'sample_account'],
  }),
  leave: endpoint({
    method: 'POST',
    path: '/workspaces/leave',
    access: 'signed-in',
    needsReauthentication: true,
    repeat: { harmless: 'It names the workspace of the request: whoever has left it is refused there.' },
    summary:
      'Takes the caller out of the workspace that the request names; an account that belongs to no other one goes with it',
    input: z.strictObject({
      /** The one of the request once more: a request that names none never leaves the next one. */
      workspaceId: id,
    }),
    output: z.object({}),
    errors: ['workspace_not_found', 'last_admin'],
  }),
};
