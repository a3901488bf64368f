import { fillQuickReply } from '@app/domain/quick-replies/quick-reply';
import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import type { FilledReply } from './use-quick-replies.tsx';

/** Asks for what nobody knows of the contact before a quick reply stands in the text. */
export function MissingValuesDialog({
  filled: { reply, values },
  onFill,
  onClose,
}: {
  filled: FilledReply;
  onFill: (text: string) => void;
  onClose: () => void;
}) {
  const names = [...values].filter(([, value]) => value === null).map(([name]) => name);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const isReady = names.every((name) => (typed[name] ?? '').trim() !== '');
  const text = fillQuickReply(
    reply.text,
    new Map([...values].map(([name, value]) => [name, value ?? (typed[name]?.trim() || null)])),
  );
  return (
    <FormDialog
      size="small"
      title={t('composer.missing.title', { name: reply.title })}
      description={t('composer.missing.purpose')}
      submitLabel={t('composer.missing.insert')}
      isReady={isReady}
      whyNot={t('composer.missing.needed')}
      onSubmit={() => onFill(text)}
      onClose={onClose}
    >
      {names.map((name) => (
        <Field key={name} label={`{{${name}}}`} required>
          <Input
            value={typed[name] ?? ''}
            maxLength={500}
            autoComplete="off"
            onChange={(event) => setTyped({ ...typed, [name]: event.target.value })}
          />
        </Field>
      ))}
      <p dir="auto" className="rounded-card bg-sunken p-3 text-sm whitespace-pre-wrap wrap-anywhere">
        {text}
      </p>
    </FormDialog>
  );
}
