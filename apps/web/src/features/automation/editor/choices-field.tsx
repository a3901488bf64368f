import type { FlowChoice } from '@app/domain/flows/field';
import { choicesOf } from '@app/domain/flows/steps/offer-choices';
import type { Json } from '@app/domain/flows/flow-file';
import { Plus, X } from 'lucide-react';
import { t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { FieldGroup } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { fieldName } from '../flow-words.ts';
import type { FieldProps } from './field-controls.tsx';

const MOST = 10;

/** What a customer can tap, each a way out of the step. The name of a choice stays when its title changes, so its way stays, too. */
export function ChoicesField({ type, field, config, error, onChange }: FieldProps) {
  const choices = choicesOf(config);
  const put = (next: readonly FlowChoice[]) => onChange(next as unknown as Json);
  const set = (at: number, part: Partial<FlowChoice>) =>
    put(choices.map((choice, index) => (index === at ? { ...choice, ...part } : choice)));
  return (
    <FieldGroup legend={fieldName(field.name, type)} hint={t('automation.choicesHint')} error={error}>
      {choices.map(({ name, title, description = '' }, at) => (
        <div key={name} className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-center gap-2">
          <Input
            aria-label={t('automation.choiceTitle', { n: at + 1 })}
            value={title}
            maxLength={24}
            autoComplete="off"
            onChange={(event) => set(at, { title: event.target.value })}
          />
          <Input
            aria-label={t('automation.choiceDescription', { n: at + 1 })}
            placeholder={t('automation.choiceDescriptionSample')}
            value={description}
            maxLength={72}
            autoComplete="off"
            onChange={(event) => set(at, { description: event.target.value })}
          />
          <IconButton
            variant="ghost"
            label={t('automation.removeChoice', { n: at + 1 })}
            disabled={choices.length <= 1}
            onClick={() => put(choices.filter((_, index) => index !== at))}
          >
            <X aria-hidden />
          </IconButton>
        </div>
      ))}
      <Button
        size="small"
        className="justify-self-start self-start"
        icon={<Plus aria-hidden />}
        disabled={choices.length >= MOST}
        onClick={() => put([...choices, { name: freeName(choices), title: '' }])}
      >
        {t('automation.addChoice')}
      </Button>
    </FieldGroup>
  );
}

function freeName(choices: readonly FlowChoice[]): string {
  for (let n = 1; ; n += 1) {
    const name = `choice_${n}`;
    if (!choices.some((choice) => choice.name === name)) return name;
  }
}
