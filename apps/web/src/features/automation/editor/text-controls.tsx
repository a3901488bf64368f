import { textOf } from '@app/domain/flows/step-type';
import type { Json } from '@app/domain/flows/flow-file';
import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../../shared/messages.ts';
import { editField, selectionOf } from '../../../shared/writing/edit-field.ts';
import { insertText } from '../../../shared/writing/text-marks.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field, FieldGroup } from '../../../ui/field.tsx';
import { Input, Textarea } from '../../../ui/input.tsx';
import { fieldName } from '../flow-words.ts';
import type { FieldProps } from './field-controls.tsx';
import { ValueMenu } from './value-menu.tsx';

/** A text in one line; a value is put at its end. */
export function TextField({ type, field, config, error, values, onChange }: FieldProps) {
  const text = textOf(config, field.name);
  return (
    <Field
      label={fieldName(field.name, type)}
      error={error}
      required={field.isRequired}
      aside={
        field.takesValues ? (
          <ValueMenu values={values} onPick={(value) => onChange(`${text}${value}`)} />
        ) : undefined
      }
    >
      <Input
        type={field.kind === 'url' ? 'url' : 'text'}
        value={text}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** A text of several lines; a value is put where the caret stands. */
export function LongTextField({ type, field, config, error, values, onChange }: FieldProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <Field
      label={fieldName(field.name, type)}
      error={error}
      required={field.isRequired}
      aside={
        field.takesValues ? (
          <ValueMenu
            values={values}
            onPick={(value) => {
              if (area.current) editField(area.current, insertText(selectionOf(area.current), value));
            }}
          />
        ) : undefined
      }
    >
      <Textarea
        ref={area}
        rows={4}
        value={textOf(config, field.name)}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

type Pair = { name: string; value: string };

/** Names with values: headers of a call, and what is taken out of a response. */
export function PairsField({ type, field, config, error, onChange }: FieldProps) {
  const pairs = (config[field.name] ?? []) as unknown as readonly Pair[]; // as the file has it
  const set = (at: number, part: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...part } : pair)) as unknown as Json);
  const label = fieldName(field.name, type);
  return (
    <FieldGroup
      legend={label}
      hint={t(field.kind === 'mapping' ? 'automation.mappingHint' : 'automation.headersHint')}
      error={error}
    >
      {pairs.map((pair, at) => (
        <div key={at} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-2">
          <Input
            aria-label={t('automation.pairName', { label, n: at + 1 })}
            placeholder={field.kind === 'mapping' ? 'order_id' : 'Authorization'}
            value={pair.name}
            autoComplete="off"
            onChange={(event) => set(at, { name: event.target.value })}
          />
          <Input
            aria-label={t('automation.pairValue', { label, n: at + 1 })}
            placeholder={field.kind === 'mapping' ? 'order.id' : ''}
            value={pair.value}
            autoComplete="off"
            onChange={(event) => set(at, { value: event.target.value })}
          />
          <IconButton
            variant="ghost"
            label={t('automation.removePair', { label, n: at + 1 })}
            onClick={() => onChange(pairs.filter((_, index) => index !== at) as unknown as Json)}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        size="small"
        className="justify-self-start self-start"
        icon={<Plus aria-hidden />}
        disabled={pairs.length >= 50}
        onClick={() => onChange([...pairs, { name: '', value: '' }] as unknown as Json)}
      >
        {t('automation.addPair')}
      </Button>
    </FieldGroup>
  );
}
