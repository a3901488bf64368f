import type { ComponentProps } from 'react';
import { t } from '../messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input, PasswordInput } from '../../ui/input.tsx';

type Props<Name extends string> = {
  /** How a form wires one of its text fields. */
  text: (name: Name, autoComplete: string) => ComponentProps<typeof Input>;
  errors: Partial<Record<Name, string | undefined>>;
};

export function NameFields({ text, errors }: Props<'firstName' | 'lastName'>) {
  return (
    <div className="grid gap-4 min-[420px]:grid-cols-2">
      <Field label={t('auth.field.firstName')} error={errors.firstName} required>
        <Input {...text('firstName', 'given-name')} />
      </Field>
      <Field label={t('auth.field.lastName')} error={errors.lastName} required>
        <Input {...text('lastName', 'family-name')} />
      </Field>
    </div>
  );
}

export function PhoneField({ text, errors }: Props<'phoneNumber'>) {
  return (
    <Field label={t('auth.field.phoneNumber')} aside={t('auth.field.optional')} error={errors.phoneNumber}>
      <Input type="tel" {...text('phoneNumber', 'tel')} />
    </Field>
  );
}

/** A new password, and once more. */
export function NewPasswordFields({ text, errors }: Props<'password' | 'confirmPassword'>) {
  return (
    <>
      <Field
        label={t('auth.field.password')}
        hint={errors.password ? undefined : t('auth.field.passwordHint')}
        error={errors.password}
        required
      >
        <PasswordInput {...text('password', 'new-password')} />
      </Field>
      <Field label={t('auth.field.confirmPassword')} error={errors.confirmPassword} required>
        <PasswordInput {...text('confirmPassword', 'new-password')} />
      </Field>
    </>
  );
}
