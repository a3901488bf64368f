import { CircleCheck, LoaderCircle, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { findText, t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { Input, PasswordInput } from '../../ui/input.tsx';
import { isOfPlatform, problemText, type ConnectionKind, type FieldCheck } from './connection-queries.ts';

interface CredentialFieldProps {
  field: ConnectionKind['fields'][number];
  value: string;
  /** Of a secret that is stored. */
  lastFour: string | undefined;
  proof: FieldCheck | undefined;
  /** Why it was not saved. */
  refused: string | undefined;
  isAsking: boolean;
  onChange: (value: string) => void;
}

/** One value of the form, with what the platform says of it. */
export function CredentialField({
  field,
  value,
  lastFour,
  proof,
  refused,
  isAsking,
  onChange,
}: CredentialFieldProps) {
  const [wantsToSee, setWantsToSee] = useState(false);
  const isWrong = proof?.state === 'wrong';
  const advice = proof && !isOfPlatform(proof.problem) ? problemText(proof) : undefined;
  const stored = lastFour === undefined ? undefined : t('connection.stored', { end: lastFour });
  const hidden = wantsToSee ? <span role="status">{t('connection.storedHidden')}</span> : stored;
  const isHidden = field.isSecret && lastFour !== undefined && value === '';
  const control = {
    ...{ name: field.name, value, spellCheck: false },
    // No password manager is to keep or fill it.
    autoComplete: field.isSecret ? 'new-password' : 'off',
    ...(field.format === 'digits' && { inputMode: 'numeric' as const }),
    placeholder: lastFour === undefined ? '' : `••••••••${lastFour}`,
    onChange: ({ target }: { target: HTMLInputElement }) => onChange(target.value),
  };
  return (
    <Field
      label={fieldLabel(field)}
      required
      error={refused ?? (isWrong ? advice : undefined)}
      hint={!isWrong && advice ? advice : isHidden ? hidden : undefined}
      aside={<Mark proof={proof} isAsking={isAsking && value !== ''} />}
    >
      {field.isSecret ? (
        <PasswordInput {...control} {...(isHidden && { onPeek: () => setWantsToSee(true) })} />
      ) : (
        <Input {...control} />
      )}
    </Field>
  );
}

export function fieldLabel({
  label,
  name,
}: Pick<ConnectionKind['fields'][number], 'label' | 'name'>): string {
  return findText(`connection.field.${label}`) ?? name;
}

function Mark({ proof, isAsking }: { proof: FieldCheck | undefined; isAsking: boolean }) {
  if (proof?.state === 'right')
    return proof.problem === null ? (
      <span className="flex items-center gap-1 text-success">
        <CircleCheck aria-hidden className="size-4" /> {t('connection.right')}
      </span>
    ) : (
      <span className="flex items-center gap-1 text-warning">
        <TriangleAlert aria-hidden className="size-4" /> {t('connection.rightButTodo')}
      </span>
    );
  if (isAsking)
    return (
      <span role="status" className="flex items-center gap-1">
        <LoaderCircle aria-hidden className="size-4 animate-spin" /> {t('connection.asking')}
      </span>
    );
  return null;
}
