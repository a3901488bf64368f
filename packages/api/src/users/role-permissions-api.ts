import { rolePermissionsContract } from '@app/contracts/users/role-permissions-contract';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { beginMemberChange } from './member-change.ts';
import { changeMatrix, readMatrix } from './role-permissions-queries.ts';

const os = implementEndpoints(rolePermissionsContract);

export const rolePermissionsApi = os.router({
  get: os.get.handler(({ context }) => context.read(readMatrix)),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const act = await beginMemberChange(scope, 'users:manage');
      const refusal = await changeMatrix(scope, act, input);
      if (refusal === 'role_permissions_changed') throw errors.role_permissions_changed();
      if (refusal) throw errors.permission_not_held({ data: { values: { permission: refusal.missing } } });
      return readMatrix(scope);
    }),
  ),
});
