import { useState } from 'react';
import type { FormEvent } from 'react';
import { t } from '../../shared/messages.ts';
import { signInWithCode } from '../../shared/sign-in/sign-in.ts';
import { SignInFailure } from '../../shared/sign-in/sign-in-calls.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { authErrorMessage } from './auth-error-message.ts';
import { AuthFrame, FormFailure, textLink } from './auth-frame.tsx';

/** The second step of a sign-in: a code of the app, or one of the recovery codes. */
export function CodeStep({
  rememberMe,
  onDone,
  onBack,
}: {
  rememberMe: boolean;
  onDone: () => void;
  /** With a sentence when the step is over. */
  onBack: (why?: string) => void;
}) {
  const [code, setCode] = useState('');
  const [isRecovery, setRecovery] = useState(false);
  const [trustsDevice, setTrusts] = useState(false);
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);

  function clear() {
    setError(undefined);
    setFailure(undefined);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    clear();
    if (!code.trim()) return setError(t('auth.step.missing'));
    setSending(true);
    try {
      await signInWithCode({ code, trustsDevice, rememberMe });
      onDone();
    } catch (thrown) {
      setSending(false);
      const text = authErrorMessage(thrown, 'auth.failure.signIn');
      const why = thrown instanceof SignInFailure ? thrown.code : '';
      if (why === 'code_wrong') setError(text);
      else if (why === 'two_factor_locked' || why === 'offline' || why === 'server_busy') setFailure(text);
      else onBack(text);
    }
  }

  return (
    <AuthFrame
      title={t('auth.step.title')}
      purpose={isRecovery ? undefined : t('auth.step.purpose')}
      footer={
        <button type="button" className={textLink} onClick={() => onBack()}>
          {t('auth.step.back')}
        </button>
      }
    >
      <form method="dialog" onSubmit={(event) => void submit(event)} noValidate>
        <FormFailure>{failure}</FormFailure>
        <div className="flex flex-col gap-4">
          <Field
            key={isRecovery ? 'recovery' : 'code'}
            label={t(isRecovery ? 'auth.step.recovery' : 'auth.step.code')}
            error={error}
            required
          >
            <Input
              name="code"
              // The step replaces the form that had the focus.
              autoFocus
              autoComplete="one-time-code"
              inputMode={isRecovery ? 'text' : 'numeric'}
              autoCapitalize="none"
              spellCheck={false}
              className="h-10 font-mono tracking-widest"
              value={code}
              onChange={(event) => {
                setCode(event.target.value);
                clear();
              }}
            />
          </Field>
          <Checkbox
            name="trustsDevice"
            label={t('auth.step.trust')}
            checked={trustsDevice}
            onChange={(event) => setTrusts(event.target.checked)}
          />
          <Button type="submit" variant="primary" className="h-10 w-full" loading={isSending}>
            {t('auth.step.submit')}
          </Button>
          <button
            type="button"
            className={`${textLink} min-h-6 self-center`}
            onClick={() => {
              setRecovery(!isRecovery);
              setCode('');
              clear();
            }}
          >
            {t(isRecovery ? 'auth.step.useApp' : 'auth.step.useRecovery')}
          </button>
        </div>
      </form>
    </AuthFrame>
  );
}
