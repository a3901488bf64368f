import { formFieldTypes, type FormField } from '@app/domain/flows/field';
import type { Json } from '@app/domain/flows/flow-file';
import { formFieldsOf } from '@app/domain/flows/triggers/form-trigger';
import { ArrowUp, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../../../shared/messages.ts';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/controls/choice.tsx';
import { Select } from '../../../../ui/controls/select.tsx';
import { FieldGroup } from '../../../../ui/field.tsx';
import { Input } from '../../../../ui/input.tsx';
import { fieldName, optionName } from '../../flow-words.ts';
import { LinesField, type FieldProps } from '../field-controls.tsx';
import { nameOfLabel } from './name-of-label.ts';

const MOST = 50;

/** What a visitor fills in. The name of a field, by which steps find the answer, is made of its first label and stays when the label changes. */
export function FormFields({ type, field, config, error, onChange }: FieldProps) {
  const fields = formFieldsOf(config);
  const unnamed = useRef(new Set<string>());
  const put = (next: readonly FormField[]) => onChange(next as unknown as Json);
  const set = (at: number, part: Partial<FormField>) =>
    put(fields.map((one, index) => (index === at ? { ...one, ...part } : one)));
  const others = (at: number) => fields.filter((_, index) => index !== at).map(({ name }) => name);
  const giveName = (at: number, { name, label }: FormField) => {
    if (!unnamed.current.has(name) || label.trim() === '') return;
    unnamed.current.delete(name);
    set(at, { name: nameOfLabel(label, others(at)) });
  };
  const add = () => {
    const name = nameOfLabel('', others(-1));
    unnamed.current.add(name);
    put([...fields, { name, label: '', type: 'text', isRequired: false }]);
  };
  return (
    <FieldGroup legend={fieldName(field.name, type)} hint={t('automation.formFields.hint')} error={error}>
      <ul className="grid gap-3">
        {fields.map((one, at) => (
          <li key={at} className="grid gap-2 rounded-lg border border-line p-3">
            <div className="flex flex-wrap gap-2">
              <div className="min-w-40 flex-1">
                <Input
                  aria-label={t('automation.formFields.label', { n: at + 1 })}
                  placeholder={t('automation.formFields.labelSample')}
                  value={one.label}
                  maxLength={200}
                  autoComplete="off"
                  onChange={(event) => set(at, { label: event.target.value })}
                  onBlur={() => giveName(at, one)}
                />
              </div>
              <Select
                className="w-40"
                label={t('automation.formFields.type', { n: at + 1 })}
                value={one.type}
                onChange={(next) =>
                  set(at, { type: next, ...(next === 'choice' && { options: one.options ?? [] }) })
                }
                options={formFieldTypes.map((value) => ({ value, label: optionName(value, 'form_field') }))}
              />
            </div>
            {one.type === 'choice' ? (
              <LinesField
                {...{ type: 'form_field', values: [], error: undefined }}
                field={{ name: 'options', kind: 'words', isRequired: true }}
                config={{ options: one.options ?? [] }}
                onChange={(options) => set(at, { options: options as readonly string[] })}
              />
            ) : null}
            <div className="flex items-center gap-1">
              <div className="flex-1">
                <Checkbox
                  label={t('automation.formFields.required')}
                  checked={one.isRequired}
                  onChange={(event) => set(at, { isRequired: event.target.checked })}
                />
              </div>
              <IconButton
                variant="ghost"
                label={t('automation.formFields.up', { n: at + 1 })}
                disabled={at === 0}
                onClick={() =>
                  put([...fields.slice(0, at - 1), one, fields[at - 1]!, ...fields.slice(at + 1)])
                } // not the first
              >
                <ArrowUp aria-hidden />
              </IconButton>
              <IconButton
                variant="ghost"
                label={t('automation.formFields.remove', { n: at + 1 })}
                disabled={fields.length <= 1}
                onClick={() => put(fields.filter((_, index) => index !== at))}
              >
                <X aria-hidden />
              </IconButton>
            </div>
          </li>
        ))}
      </ul>
      <Button
        size="small"
        className="justify-self-start self-start"
        icon={<Plus aria-hidden />}
        disabled={fields.length >= MOST}
        onClick={add}
      >
        {t('automation.formFields.add')}
      </Button>
    </FieldGroup>
  );
}
