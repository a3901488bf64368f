import { stillNeeded } from '../../shared/actions/still-needed.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { numberErrorMessage, refreshNumbers, type AccountNumber } from './numbers-queries.ts';

interface NumberDialogProps {
  channelId: string;
  number: AccountNumber;
  mode: 'verify' | 'register';
  onClose: () => void;
}

/** Proves that the number is ours by a code that comes to it, or registers it with a PIN. */
export function NumberDialog({ channelId, number, mode, onClose }: NumberDialogProps) {
  const { address, displayNumber, hasPin } = number;
  const [by, setBy] = useState<'sms' | 'voice'>('sms');
  const [code, setCode] = useState('');
  const queryClient = useQueryClient();
  const one = { channelId, address };
  const request = useAction({
    // The platform knows the code of a language with its country.
    mutationFn: () => api.numbers.requestCode({ ...one, by, language: 'en_US' }),
    onSuccess: () => notify.success(t('connection.numbers.codeSent')),
  });
  const finish = useAction({
    mutationFn: () =>
      mode === 'verify'
        ? api.numbers.verifyCode({ ...one, code: code.trim() })
        : api.numbers.register({ ...one, pin: code.trim() }),
    onSuccess: async () => {
      notify.success(
        t(mode === 'verify' ? 'connection.numbers.verifiedToast' : 'connection.numbers.registeredToast'),
      );
      onClose();
      await refreshNumbers(queryClient);
    },
  });
  const error = finish.error ?? request.error;
  return (
    <FormDialog
      title={t(mode === 'verify' ? 'connection.numbers.verifyTitle' : 'connection.numbers.registerTitle', {
        number: displayNumber,
      })}
      submitLabel={t(mode === 'verify' ? 'connection.numbers.verify' : 'connection.numbers.register')}
      isReady={/^\d{6}$/.test(code.trim())}
      whyNot={stillNeeded(t(mode === 'verify' ? 'connection.numbers.code' : 'connection.numbers.pin'))}
      isSaving={finish.isPending}
      onSubmit={() => finish.mutate()}
      onClose={onClose}
    >
      {error ? <Banner tone="danger">{numberErrorMessage(error)}</Banner> : null}
      {mode === 'verify' ? (
        <>
          <p className="text-muted">{t('connection.numbers.verifyText')}</p>
          <span className="flex items-end gap-2">
            <Field label={t('connection.numbers.by')} className="flex-1">
              <NativeSelect value={by} onChange={({ target }) => setBy(target.value as 'sms' | 'voice')}>
                <option value="sms">{t('connection.numbers.bySms')}</option>
                <option value="voice">{t('connection.numbers.byVoice')}</option>
              </NativeSelect>
            </Field>
            <Button loading={request.isPending} onClick={() => request.mutate()}>
              {t('connection.numbers.sendCode')}
            </Button>
          </span>
        </>
      ) : null}
      <Field
        label={t(mode === 'verify' ? 'connection.numbers.code' : 'connection.numbers.pin')}
        hint={
          mode === 'register'
            ? t(hasPin ? 'connection.numbers.pinKnown' : 'connection.numbers.pinNew')
            : undefined
        }
      >
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          onChange={({ target }) => setCode(target.value)}
        />
      </Field>
    </FormDialog>
  );
}
