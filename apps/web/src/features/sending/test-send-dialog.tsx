import { stillNeeded } from '../../shared/actions/still-needed.ts';
import { Send } from 'lucide-react';
import { useRef, useState } from 'react';
import { api, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { refusalText } from '../../shared/languages/refusal-text.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { OFFLINE_PREFIX } from '../../shared/offline/offline-copy.ts';
import { ownerHere } from '../../shared/session.ts';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { notify } from '../../ui/toast.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { NumberField, useChosenNumber } from './number-field.tsx';
import { sendingErrorMessage } from './sending-failure.ts';

type TestMessage = Omit<Parameters<typeof api.campaigns.sendTest>[0], 'phone'>;

/** Sends the message once to a number of one's own, which this device remembers. */
export function TestSendDialog({ message, onClose }: { message: TestMessage; onClose: () => void }) {
  const [phone, setPhone] = useState(readPhone);
  const [chosen, setChosen] = useState(message.channelId ?? null);
  const channelId = useChosenNumber(chosen);
  // For the platform's refusals, long before one comes.
  useMessages('deliveries');
  const field = useRef<HTMLInputElement>(null);
  const send = useAction({
    mutationFn: () => api.campaigns.sendTest({ ...message, phone, channelId }),
    onSuccess: ({ phone: sentTo }) => {
      storePhone(sentTo);
      notify.success(t('sending.test.sent', { phone: sentTo }));
      onClose();
    },
  });
  return (
    <FormDialog
      closeOnOutsidePress
      title={t('sending.test.title')}
      description={t('sending.test.text')}
      size="small"
      initialFocus={field}
      submitLabel={t('sending.test.send')}
      submitIcon={<Send aria-hidden />}
      isReady={phone.trim() !== ''}
      whyNot={stillNeeded(t('sending.test.phone'))}
      isSaving={send.isPending}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      <NumberField
        value={chosen}
        onChange={(next) => {
          setChosen(next);
          send.reset();
        }}
      />
      <Field
        label={t('sending.test.phone')}
        hint={t('sending.test.phoneHint')}
        error={send.isError ? failureOf(send.error) : undefined}
      >
        <Input
          ref={field}
          type="tel"
          autoComplete="tel"
          value={phone}
          maxLength={40}
          placeholder="+44 7700 900123"
          onChange={(event) => {
            setPhone(event.target.value);
            send.reset();
          }}
        />
      </Field>
    </FormDialog>
  );
}

function failureOf(error: unknown): string {
  const { code, values } = readFailure(error);
  if (code === 'contact_phone_invalid') return t('sending.test.phoneInvalid');
  if (code === 'test_message_refused')
    return values['word'] === undefined
      ? t('sending.test.refused')
      : refusalText(String(values['word']), String(values['reason'] ?? ''));
  if (code === 'platform_unreachable') return t('sending.test.unreachable');
  if (code === 'daily_limit_reached') return t('sending.test.dailyLimit');
  if (code === 'outcome_unknown') return t('sending.test.outcomeUnknown');
  return sendingErrorMessage(error);
}

const place = () => `${OFFLINE_PREFIX}test-phone:${ownerHere()}`;

function readPhone(): string {
  try {
    return localStorage.getItem(place()) ?? '';
  } catch {
    return '';
  }
}

function storePhone(phone: string): void {
  try {
    localStorage.setItem(place(), phone);
  } catch {
    // Without storage it is typed again next time.
  }
}
