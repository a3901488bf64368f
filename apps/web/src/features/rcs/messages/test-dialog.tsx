import { rcsContentOf, readRcsMessage } from '@app/domain/rcs/rcs-message';
import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../../shared/api.ts';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { refusalText } from '../../../shared/languages/refusal-text.ts';
import { t } from '../../../shared/messages.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Input, NativeSelect } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { describeFault } from './fault-words.ts';
import { LoadedMessage } from './message-dialog.tsx';
import { rcsErrorMessage, type RcsMessage } from './rcs-messages-queries.ts';

/** Sends a message once to a phone of one's own. */
export function TestDialog({ messageId, onClose }: { messageId: string; onClose: () => void }) {
  return (
    <LoadedMessage messageId={messageId} title={t('rcs.test')} onClose={onClose}>
      {(message) => <TestForm message={message} onClose={onClose} />}
    </LoadedMessage>
  );
}

function TestForm({ message, onClose }: { message: RcsMessage; onClose: () => void }) {
  const [phone, setPhone] = useState('');
  // For the platform's refusals, long before one comes.
  useMessages('deliveries');
  const channels = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  const agent = channels.data?.items.find(({ kind, isDefault }) => kind === 'rcs' && isDefault);
  const { type, language: main, content: written, translations } = message;
  const [language, setLanguage] = useState(main);
  const { content, faults } = readRcsMessage(type, translations[language] ?? written);
  const send = useAction({
    mutationFn: () =>
      api.campaigns.sendTest({
        message: { content: { kind: 'rcs', ...rcsContentOf(content) } },
        ...{ phone, channelId: agent?.id ?? null },
      }),
    onSuccess: ({ phone: sentTo }) => {
      notify.success(t('rcs.testSent', { phone: sentTo }));
      onClose();
    },
  });
  const isConnected = agent !== undefined && agent.connection !== 'none';
  const [fault] = faults;
  const whyNot = isConnected ? t('rcs.testNeedsPhone') : t('rcs.testNeedsAgent');
  return (
    <FormDialog
      closeOnOutsidePress
      size="small"
      title={t('rcs.test')}
      description={t('rcs.testText')}
      submitLabel={t('rcs.testSend')}
      submitIcon={<Send aria-hidden />}
      isReady={!fault && isConnected && phone.trim() !== ''}
      whyNot={channels.isPending || fault ? undefined : whyNot}
      isSaving={send.isPending}
      onSubmit={() => send.mutate()}
      onClose={onClose}
    >
      {fault ? (
        <Banner tone="warning">{t('rcs.testUnfinished', { fault: describeFault(fault) })}</Banner>
      ) : null}
      {send.isError ? <Banner tone="danger">{failureOf(send.error)}</Banner> : null}
      {Object.keys(translations).length === 0 ? null : (
        <Field label={t('rcs.testLanguage')}>
          <NativeSelect
            value={language}
            onChange={({ target }) => {
              setLanguage(target.value);
              send.reset();
            }}
          >
            {[main, ...Object.keys(translations)].map((code) => (
              <option key={code} value={code}>
                {languageName(code)}
              </option>
            ))}
          </NativeSelect>
        </Field>
      )}
      <Field label={t('rcs.testPhone')} hint={t('rcs.testPhoneHint')} required>
        <Input
          type="tel"
          autoComplete="tel"
          maxLength={40}
          placeholder="+44 7700 900123"
          value={phone}
          onChange={({ target }) => {
            setPhone(target.value);
            send.reset();
          }}
        />
      </Field>
    </FormDialog>
  );
}

function failureOf(error: unknown): string {
  const { code, values } = readFailure(error);
  if (code === 'contact_phone_invalid') return t('rcs.testPhoneInvalid');
  if (code === 'test_message_refused' && values['word'] !== undefined)
    return refusalText(String(values['word']), String(values['reason'] ?? ''));
  if (code === 'outcome_unknown') return t('rcs.testUnknown');
  return rcsErrorMessage(error);
}
