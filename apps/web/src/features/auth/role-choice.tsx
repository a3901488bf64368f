import type { Role } from '@app/domain/auth/permissions';
import { requestableRoles } from '@app/domain/auth/sign-up-rules';
import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';

/** The role that somebody asks for, each with what it is for. */
export function RoleChoice({
  value,
  hint,
  onChange,
}: {
  value: Role;
  hint?: string | undefined;
  onChange: (role: Role) => void;
}) {
  return (
    <FieldGroup legend={t('auth.field.role')} hint={hint}>
      <div className="overflow-hidden rounded-card border border-control">
        {requestableRoles.map((role) => (
          <Radio
            key={role}
            name="role"
            value={role}
            checked={value === role}
            onChange={() => onChange(role)}
            label={<span className="font-medium">{t(`auth.role.${role}`)}</span>}
            hint={t(`auth.role.${role}Text`)}
            className="border-b border-border px-3.5 py-2.5 transition-colors last:border-b-0 has-checked:bg-primary-soft"
          />
        ))}
      </div>
    </FieldGroup>
  );
}
