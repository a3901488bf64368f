import { useRef } from 'react';
import { Field } from '../../../ui/field.tsx';
import { Textarea } from '../../../ui/input.tsx';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { markByKey } from '../../../shared/writing/mark-list.tsx';
import { WritingTools } from '../../../shared/writing/writing-tools.tsx';

export const LONGEST_MESSAGE = 4096;
const insertable = ['name', 'first_name', 'phone', 'business'] as const;

/** A message of one's own, with buttons that put a placeholder where the cursor stands. */
export function CustomMessageField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const area = useRef<HTMLTextAreaElement>(null);

  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t('sending.message.custom')}
        hint={t('sending.message.customHint')}
        aside={
          value === ''
            ? undefined
            : t('sending.message.length', {
                n: value.length,
                most: formatNumber(LONGEST_MESSAGE),
              })
        }
      >
        <Textarea
          ref={area}
          rows={5}
          onKeyDown={markByKey}
          value={value}
          maxLength={LONGEST_MESSAGE}
          placeholder={t('sending.message.customPlaceholder')}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <WritingTools
        field={area}
        variables={insertable.map((name) => ({ name, label: t(`sending.message.field.${name}`) }))}
      />
    </div>
  );
}
