import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isPermitted } from '@app/domain/auth/is-permitted';
import { actionsOf, type Action, type Permission } from '@app/domain/auth/permissions';
import { defaultRolePermissions } from '@app/domain/auth/permissions';
import { editableRoles, tidyPermissions, type EditableRole } from '@app/domain/users/role-matrix';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { shownResources } from './permissions-tab.tsx';
import { matrixOptions, refreshMembers } from './users-queries.ts';
import { permissionName, roleLabel, usersErrorMessage } from './users-words.ts';

type Matrix = Record<EditableRole, readonly Permission[]>;

/** Decides what managers, agents and viewers may do. */
export function PermissionsDialog({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(matrixOptions);
  if (!data) return null;
  const matrix = Object.fromEntries(
    editableRoles.map((role) => [
      role,
      // The server lists only permissions of the domain's table.
      (data.roles.find((row) => row.role === role)?.permissions ?? []) as readonly Permission[],
    ]),
  ) as Matrix; // it has every role of the list
  return <MatrixForm opened={matrix} version={data.version} onClose={onClose} />;
}

function MatrixForm({ opened, version, onClose }: { opened: Matrix; version: number; onClose: () => void }) {
  // What is saved follows the version that the person saw.
  const [first] = useState({ matrix: opened, version });
  const [matrix, setMatrix] = useState(opened);
  const [role, setRole] = useState<EditableRole>('manager');
  const queryClient = useQueryClient();
  const update = useAction(orpc.rolePermissions.update.mutationOptions());
  const isChanged = JSON.stringify(matrix) !== JSON.stringify(first.matrix);
  const closeSaved = useUnsavedWarning(isChanged, 'dialog');
  const change = (permissions: readonly Permission[]) => {
    setMatrix((before) => ({ ...before, [role]: tidyPermissions(permissions) }));
    update.reset();
  };

  async function save() {
    const changes = editableRoles
      .filter((one) => JSON.stringify(matrix[one]) !== JSON.stringify(first.matrix[one]))
      .map((one) => ({ role: one, permissions: [...matrix[one]] }));
    try {
      await update.mutateAsync({ version: first.version, changes });
    } catch (error) {
      if (readFailure(error).code === 'role_permissions_changed') await refreshMembers(queryClient);
      return; // Shown in the form, from the failed call.
    }
    notify.success(t('users.matrix.saved'));
    closeSaved(onClose);
    await refreshMembers(queryClient);
  }

  return (
    <FormDialog
      title={t('users.matrix.edit')}
      description={t('users.matrix.editText')}
      size="large"
      submitLabel={t('common.save')}
      isReady={isChanged}
      whyNot={t('users.matrix.unchanged')}
      isSaving={update.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
      note={
        <Button className="mr-auto" onClick={() => change(defaultRolePermissions[role])}>
          {t('users.matrix.reset')}
        </Button>
      }
    >
      {update.error ? <Banner tone="danger">{usersErrorMessage(update.error)}</Banner> : null}
      <Tabs
        label={t('users.matrix.role')}
        value={role}
        onChange={setRole}
        tabs={editableRoles.map((value) => ({ value, label: roleLabel(value) }))}
      >
        <ul className="grid gap-4">
          {shownResources.map((resource) => (
            <li key={resource} className="border-b border-border pb-4 last:border-b-0">
              <p id={`permissions-of-${resource}`} className="mb-2 font-medium">
                {t(`users.resource.${resource}`)}
              </p>
              <div
                role="group"
                aria-labelledby={`permissions-of-${resource}`}
                className="flex flex-wrap gap-x-5 gap-y-2"
              >
                {actionsOf(resource).map((action) => (
                  <PermissionBox
                    key={action}
                    permission={`${resource}:${action}`}
                    action={action}
                    held={matrix[role]}
                    onChange={change}
                  />
                ))}
              </div>
            </li>
          ))}
        </ul>
      </Tabs>
    </FormDialog>
  );
}

function PermissionBox({
  permission,
  action,
  held,
  onChange,
}: {
  permission: Permission;
  action: Action;
  held: readonly Permission[];
  onChange: (permissions: readonly Permission[]) => void;
}) {
  const { user } = useSession();
  const mayDecide = isPermitted(user?.permissions ?? [], permission);
  const isOn = isPermitted(held, permission);
  // Whoever may do everything has each part of it, and whoever changes something may see it.
  const follows = isOn && !(held.includes(permission) && !isImplied(held, permission));
  // What nobody here may decide on is no choice.
  if (!mayDecide && !isOn) return null;
  const toggle = () => onChange(isOn ? held.filter((one) => one !== permission) : [...held, permission]);
  return (
    <Checkbox
      label={t(`users.action.${action}`)}
      aria-label={permissionName(permission)}
      title={mayDecide ? undefined : t('users.matrix.notHeld')}
      checked={isOn}
      disabled={!mayDecide || follows}
      onChange={toggle}
    />
  );
}

/** Read follows from any change that one may make. */
function isImplied(held: readonly Permission[], permission: Permission): boolean {
  const [resource, action] = permission.split(':');
  return action === 'read' && held.some((one) => one.startsWith(`${resource}:`) && one !== permission);
}
