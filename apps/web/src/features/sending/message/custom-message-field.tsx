import { ChevronDown } from 'lucide-react';
import { useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Textarea } from '../../../ui/input.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';

export const LONGEST_MESSAGE = 4096;
const insertable = ['name', 'phone', 'business'] as const;

/** A message of one's own, with buttons that put a placeholder where the cursor stands. */
export function CustomMessageField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const fields = useCustomFields() ?? [];
  const area = useRef<HTMLTextAreaElement>(null);

  function insert(variable: string) {
    const element = area.current;
    const placeholder = `{{${variable}}}`;
    const start = element?.selectionStart ?? value.length;
    const end = element?.selectionEnd ?? value.length;
    onChange((value.slice(0, start) + placeholder + value.slice(end)).slice(0, LONGEST_MESSAGE));
    requestAnimationFrame(() => {
      element?.focus();
      element?.setSelectionRange(start + placeholder.length, start + placeholder.length);
    });
  }

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
          value={value}
          maxLength={LONGEST_MESSAGE}
          placeholder={t('sending.message.customPlaceholder')}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="text-sm text-muted">{t('sending.message.insert')}</span>
        {insertable.map((variable) => (
          <Button key={variable} size="small" onClick={() => insert(variable)}>
            {t(`sending.message.field.${variable}`)}
          </Button>
        ))}
        {fields.length > 0 ? (
          <Menu
            align="start"
            trigger={
              <Button size="small" icon={<ChevronDown aria-hidden />}>
                {t('sending.message.field.custom')}
              </Button>
            }
            entries={fields.map(({ key, label }) => ({
              label,
              hint: `{{${key}}}`,
              onSelect: () => insert(key),
            }))}
          />
        ) : null}
      </div>
    </div>
  );
}
