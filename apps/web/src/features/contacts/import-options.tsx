import { duplicateRules, importColumns, type ImportTarget } from '@app/domain/contacts/contact-import';
import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/choice.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import type { ImportChoicesState } from './use-import-choices.ts';

/** Which column is which, and what to do with numbers that are here already. */
export function ImportOptions({ choices }: { choices: ImportChoicesState }) {
  return (
    <>
      {choices.headings.length > 0 ? (
        <FieldGroup legend={t('contacts.mapping')}>
          <div className="grid gap-3 sm:grid-cols-2">
            {importColumns.map((column) => (
              <ColumnChoice
                key={column}
                choices={choices}
                target={column}
                label={t(`contacts.mapping.${column}`)}
              />
            ))}
            {choices.fields.map(({ id, key, label }) => (
              <ColumnChoice key={id} choices={choices} target={`custom:${key}`} label={label} />
            ))}
          </div>
        </FieldGroup>
      ) : null}
      <FieldGroup legend={t('contacts.duplicates')}>
        {duplicateRules.map((rule) => (
          <Radio
            key={rule}
            name="duplicates"
            label={t(`contacts.duplicates.${rule}`)}
            hint={t(`contacts.duplicates.${rule}Hint`)}
            checked={choices.duplicates === rule}
            onChange={() => choices.setDuplicates(rule)}
          />
        ))}
      </FieldGroup>
    </>
  );
}

function ColumnChoice({
  choices,
  target,
  label,
}: {
  choices: ImportChoicesState;
  target: ImportTarget;
  label: string;
}) {
  return (
    <Field label={label}>
      <NativeSelect
        value={choices.headingOf(target)}
        onChange={(event) => choices.choose(target, event.target.value)}
      >
        <option value="">{t('contacts.mapping.none')}</option>
        {choices.headings.map((heading) => (
          <option key={heading} value={heading}>
            {heading}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}
