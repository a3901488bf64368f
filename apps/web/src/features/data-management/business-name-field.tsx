import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';

interface BusinessNameFieldProps {
  /** As it stands in the settings. */
  name: string;
  typed: string;
  onType: (typed: string) => void;
}

/** What cannot be undone waits until the name of the business is typed. */
export function BusinessNameField({ name, typed, onType }: BusinessNameFieldProps) {
  return (
    <Field label={t('dataManagement.clear.typeName', { name })}>
      <Input value={typed} autoComplete="off" onChange={(event) => onType(event.currentTarget.value)} />
    </Field>
  );
}
