import { useState } from 'react';
import { countryColumn, importColumns, nameParts } from '@app/domain/contact-imports/import-headings';
import { readTarget, type ImportTarget } from '@app/domain/contact-imports/import-mapping';
import { consentColumns } from '@app/domain/contact-imports/import-consent';
import { guessFieldType } from '@app/domain/custom-fields/guess-field-type';
import { mayManageFields } from '../../shared/contacts/custom-fields.ts';
import { t } from '../../shared/messages.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import { CustomFieldForm } from '../custom-fields/custom-field-form.tsx';
import type { FileColumn, ImportChoicesState } from './use-import-choices.ts';

const [nameColumn, phoneColumn, ...otherColumns] = importColumns;
const ownTargets = [
  nameColumn,
  ...nameParts,
  phoneColumn,
  'otherPhone',
  countryColumn,
  ...otherColumns,
  ...consentColumns,
] as const;
const NEW_FIELD = 'new-field';
const UNANSWERED = 'unanswered';

/** Each column of the file with its first values, and what becomes of it. */
export function ColumnMapping({ choices }: { choices: ImportChoicesState }) {
  const [making, setMaking] = useState<FileColumn>();
  const { columns, missing } = choices;
  const ignored = columns.filter(({ at }) => choices.targetAt(at) === null).length;
  return (
    <FieldGroup legend={t('contacts.mapping')}>
      {choices.isJson ? null : (
        <Checkbox
          label={t('contacts.importHeadless')}
          hint={t('contacts.importHeadlessHint')}
          checked={choices.isHeadless}
          onChange={(event) => choices.setHeadless(event.target.checked)}
        />
      )}
      {missing.length > 0 ? (
        <div className="mt-3 grid gap-3 sm:grid-cols-2">
          {missing.map((target) => (
            <MissingColumn key={target} choices={choices} target={target} />
          ))}
        </div>
      ) : null}
      <ul className="mt-3 divide-y divide-border rounded-card border border-border">
        {columns.map((column) => (
          <ColumnRow
            key={column.at}
            column={column}
            choices={choices}
            onMakeField={() => setMaking(column)}
          />
        ))}
      </ul>
      {choices.isKept ? <p className="mt-2 text-sm text-muted">{t('contacts.importColumnsKept')}</p> : null}
      <p role="status" className="mt-2 text-sm text-muted empty:hidden">
        {ignored > 0 ? t('contacts.importIgnored', { n: ignored, total: columns.length }) : null}
      </p>
      {making ? (
        <CustomFieldForm
          field={undefined}
          takenKeys={choices.fields.map(({ key }) => key)}
          suggestion={{ label: making.heading, type: guessFieldType(making.samples) }}
          onDone={(saved) => {
            setMaking(undefined);
            if (saved) choices.choose(making.at, `custom:${saved.key}`);
          }}
        />
      ) : null}
    </FieldGroup>
  );
}

function nameOf({ heading, at }: FileColumn): string {
  return heading || t('contacts.importColumn', { place: at + 1 });
}

function ColumnRow({
  column,
  choices,
  onMakeField,
}: {
  column: FileColumn;
  choices: ImportChoicesState;
  onMakeField: () => void;
}) {
  const target = choices.targetAt(column.at);
  const name = nameOf(column);
  const isAsked = choices.asked.some(({ at }) => at === column.at);
  return (
    <li className="grid gap-x-4 gap-y-1.5 px-3 py-2.5 sm:grid-cols-2 sm:items-center">
      <div className="min-w-0">
        <p className={classNames('truncate font-medium', target === null && 'text-muted')} title={name}>
          {name}
        </p>
        <p className="truncate text-sm text-muted" title={column.samples.join(' · ')}>
          {column.samples.length > 0 ? column.samples.join(' · ') : t('contacts.importNoValues')}
        </p>
      </div>
      <Field
        label={t('contacts.importColumnBecomes', { column: name })}
        hideLabel
        error={isAsked ? t('contacts.importMayBeConsent') : undefined}
      >
        <NativeSelect
          value={isAsked ? UNANSWERED : (target ?? '')}
          onChange={(event) => {
            if (event.target.value === NEW_FIELD) onMakeField();
            else choices.choose(column.at, readTarget(event.target.value) ?? null);
          }}
        >
          {isAsked ? (
            <option value={UNANSWERED} disabled>
              {t('contacts.importChooseMeaning')}
            </option>
          ) : null}
          <option value="">{t('contacts.mapping.none')}</option>
          <optgroup label={t('contacts.mapping.contact')}>
            {ownTargets.map((known) => (
              <option key={known} value={known}>
                {t(`contacts.mapping.${known}`)}
              </option>
            ))}
          </optgroup>
          {choices.fields.length > 0 ? (
            <optgroup label={t('contacts.fields')}>
              {choices.fields.map(({ id, key, label }) => (
                <option key={id} value={`custom:${key}`}>
                  {label}
                </option>
              ))}
            </optgroup>
          ) : null}
          {mayManageFields() ? <option value={NEW_FIELD}>{t('contacts.mapping.newField')}</option> : null}
        </NativeSelect>
      </Field>
    </li>
  );
}

/** What a contact needs and no column is: said where it can be mended. */
function MissingColumn({ choices, target }: { choices: ImportChoicesState; target: 'name' | 'phone' }) {
  return (
    <Field
      label={t(`contacts.mapping.${target}`)}
      required
      error={t('contacts.importNeeds', { column: t(`contacts.field.${target}`) })}
    >
      <NativeSelect
        value=""
        onChange={(event) => choices.choose(Number(event.target.value), target satisfies ImportTarget)}
      >
        <option value="" disabled>
          {t('contacts.importChooseColumn')}
        </option>
        {choices.columns.map((column) => (
          <option key={column.at} value={column.at}>
            {[nameOf(column), column.samples[0]].filter(Boolean).join(' · ')}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}
