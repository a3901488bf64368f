import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';

export type ConsentKind = 'opt_in' | 'opt_out';

/** Yes or no to marketing. */
export function ConsentKindField({
  kind,
  onChange,
}: {
  kind: ConsentKind;
  onChange: (kind: ConsentKind) => void;
}) {
  return (
    <FieldGroup legend={t('contacts.consent.kind')}>
      {(['opt_in', 'opt_out'] as const).map((value) => (
        <Radio
          key={value}
          name="kind"
          label={t(`contacts.consent.${value}`)}
          hint={t(`contacts.consent.${value}Hint`)}
          checked={kind === value}
          onChange={() => onChange(value)}
        />
      ))}
    </FieldGroup>
  );
}

/** How it was said, and in which words. */
export function ConsentTextField({
  text,
  problem,
  onChange,
}: {
  text: string;
  problem?: string | undefined;
  onChange: (text: string) => void;
}) {
  return (
    <Field label={t('contacts.consent.text')} hint={t('contacts.consent.textHint')} required error={problem}>
      <Textarea rows={3} maxLength={1000} value={text} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}
