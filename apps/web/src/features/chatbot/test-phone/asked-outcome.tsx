import type { FlowEffect, EffectOutcome } from '@app/domain/flows/run-state';
import type { FlowFile } from '@app/domain/flows/flow-file';
import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';

/** What only the world knows is not done in a test: the tester says what comes of it, and so goes every way. */
export function AskedOutcome({
  effect,
  flow,
  onSettle,
}: {
  effect: FlowEffect;
  flow: FlowFile;
  onSettle: (outcome: EffectOutcome) => void;
}) {
  const step = flow.steps.find(({ id }) => id === effect.stepId);
  const mapping = (step?.config['mapping'] ?? []) as readonly { name: string }[]; // as the file has it
  const names =
    effect.kind === 'webhook_call'
      ? mapping.map(({ name }) => name)
      : effect.kind === 'ai_answer'
        ? ['text']
        : [];
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const known = Object.fromEntries(names.map((name) => [name, values[name] ?? '']));
  return (
    <div className="grid gap-2 rounded-card border border-primary p-3 text-sm">
      <p className="text-pretty">
        {t(`botFlows.test.asks.${effect.kind}` as 'botFlows.test.asks.check_contact')}
      </p>
      {names.map((name) => (
        <Field key={name} label={name}>
          <Input
            value={values[name] ?? ''}
            autoComplete="off"
            onChange={(event) => setValues({ ...values, [name]: event.target.value })}
          />
        </Field>
      ))}
      <div className="flex flex-wrap gap-2">
        {effect.kind === 'check_contact' ? (
          <>
            <Button size="small" onClick={() => onSettle({ status: 'done', exit: 'yes' })}>
              {t('botFlows.test.meets')}
            </Button>
            <Button size="small" onClick={() => onSettle({ status: 'done', exit: 'no' })}>
              {t('botFlows.test.meetsNot')}
            </Button>
          </>
        ) : (
          <>
            <Button
              size="small"
              onClick={() =>
                onSettle({
                  status: 'done',
                  values:
                    effect.kind === 'webhook_call' ? { status: 200, ...known } : { ...known, isSure: true },
                })
              }
            >
              {t('botFlows.test.answers')}
            </Button>
            {effect.kind === 'ai_answer' ? (
              <Button size="small" onClick={() => onSettle({ status: 'done', values: { isSure: false } })}>
                {t('botFlows.test.unsure')}
              </Button>
            ) : null}
            <Button size="small" onClick={() => onSettle({ status: 'failed', code: 'http_500' })}>
              {t('botFlows.test.fails')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
