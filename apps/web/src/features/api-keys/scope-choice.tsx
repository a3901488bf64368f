import { isPermitted } from '@app/domain/auth/is-permitted';
import { actionsOf, resources, type Permission } from '@app/domain/auth/permissions';
import { t } from '../../shared/messages.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';

/** What a key is for: of each resource what its owner may do themself. All of a resource stands for the rest. */
export function ScopeChoice({
  held,
  chosen,
  onChange,
}: {
  held: readonly Permission[];
  chosen: readonly Permission[];
  onChange: (scopes: readonly Permission[]) => void;
}) {
  const change = (scope: Permission, isOn: boolean) =>
    onChange(isOn ? [...chosen, scope] : chosen.filter((other) => other !== scope));
  return (
    <div className="overflow-hidden rounded-card border border-control">
      {resources.map((resource) => {
        const offered = actionsOf(resource).filter((action) => isPermitted(held, `${resource}:${action}`));
        if (offered.length === 0) return null;
        const hasAll = chosen.includes(`${resource}:manage`);
        return (
          <fieldset
            key={resource}
            className="flex gap-x-4 gap-y-2 border-b border-border px-3.5 py-2.5 last:border-b-0 max-sm:flex-col"
          >
            <legend className="float-left w-28 shrink-0 font-medium max-sm:w-full">
              {t(`apiKeys.resource.${resource}`)}
            </legend>
            <div className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-2">
              {offered.map((action) => {
                const scope: Permission = `${resource}:${action}`;
                const isPart = action !== 'manage' && hasAll;
                return (
                  <Checkbox
                    key={action}
                    label={t(`apiKeys.action.${action}`)}
                    checked={isPart || chosen.includes(scope)}
                    disabled={isPart}
                    onChange={(event) => change(scope, event.target.checked)}
                  />
                );
              })}
            </div>
          </fieldset>
        );
      })}
    </div>
  );
}
