import { CircleCheck, X } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, RefObject } from 'react';
import { checkEmail } from '@app/domain/auth/sign-up-rules';
import { createRequestMemory } from '../../shared/actions/request-memory.ts';
import { t } from '../../shared/messages.ts';
import { readEarlyInput } from '../../shared/sign-in/early-input.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field, FieldError } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';

type Enquiry = { name: string; email: string; company: string; message: string };
type Errors = Partial<Record<keyof Enquiry, MessageKey>>;

/** What was typed stays when the page is drawn anew in another language. */
const readTyped = (): Enquiry => ({
  name: readEarlyInput('name'),
  email: readEarlyInput('email'),
  company: readEarlyInput('company'),
  message: readEarlyInput('message'),
});

/** A short form for sales in a native dialog, which traps and returns the focus by itself. */
export function SalesDialog({ ref }: { ref: RefObject<HTMLDialogElement | null> }) {
  const [sent, setSent] = useState<Enquiry>();
  return (
    <dialog
      ref={ref}
      aria-labelledby="sales-title"
      className="m-auto w-[min(32rem,calc(100vw-2rem))] rounded-2xl border border-border bg-raised p-6 text-base text-text shadow-raised backdrop:bg-overlay"
    >
      <div className="flex items-start justify-between gap-4">
        <div>
          <h2 id="sales-title" className="text-xl font-semibold">
            {sent ? t('landing.sales.sentTitle', { name: sent.name }) : t('landing.sales.title')}
          </h2>
          {sent ? null : <p className="mt-1 text-muted">{t('landing.sales.text')}</p>}
        </div>
        <IconButton label={t('landing.sales.close')} size="small" onClick={() => ref.current?.close()}>
          <X aria-hidden />
        </IconButton>
      </div>
      {sent ? (
        <div
          role="status"
          className="mt-4 flex items-start gap-3 rounded-card bg-success-soft p-4 text-success"
        >
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0" />
          <p>{t('landing.sales.sentText', { email: sent.email })}</p>
        </div>
      ) : (
        <SalesForm onSent={setSent} />
      )}
    </dialog>
  );
}

function SalesForm({ onSent }: { onSent: (enquiry: Enquiry) => void }) {
  const [form, setForm] = useState(readTyped);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<MessageKey>();
  const [isSending, setSending] = useState(false);

  function edit(name: keyof Enquiry, value: string) {
    setForm({ ...form, [name]: value });
    setErrors({ ...errors, [name]: undefined });
    setFailure(undefined);
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = checkEnquiry(form);
    setErrors(found);
    const [firstWrong] = Object.keys(found);
    if (firstWrong) {
      event.currentTarget.querySelector<HTMLElement>(`[name="${firstWrong}"]`)?.focus();
      return;
    }
    setSending(true);
    const answer = await postEnquiry(form);
    setSending(false);
    if (answer === 'sent') onSent(form);
    else setFailure(answer);
  }

  const wire = (name: keyof Enquiry) => ({
    name,
    value: form[name],
    onChange: (event: { target: { value: string } }) => edit(name, event.target.value),
  });
  const errorOf = (name: keyof Enquiry) => {
    const key = errors[name];
    return key && t(key);
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="mt-5 flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('landing.sales.name')} error={errorOf('name')} required>
          <Input {...wire('name')} autoComplete="name" maxLength={100} />
        </Field>
        <Field label={t('landing.sales.email')} error={errorOf('email')} required>
          <Input {...wire('email')} type="email" autoComplete="email" maxLength={254} />
        </Field>
      </div>
      <Field label={t('landing.sales.company')} aside={t('landing.sales.optional')}>
        <Input {...wire('company')} autoComplete="organization" maxLength={100} />
      </Field>
      <Field label={t('landing.sales.message')} error={errorOf('message')} required>
        <Textarea {...wire('message')} rows={4} maxLength={2000} />
      </Field>
      <div role="alert">{failure ? <FieldError>{t(failure)}</FieldError> : null}</div>
      <Button type="submit" variant="primary" loading={isSending} className="h-10">
        {t('landing.sales.submit')}
      </Button>
    </form>
  );
}

function checkEnquiry({ name, email, message }: Enquiry): Errors {
  const problem = checkEmail(email);
  return {
    ...(!name.trim() && { name: 'landing.sales.nameMissing' }),
    ...(problem && {
      email: problem === 'emailMissing' ? 'landing.sales.emailMissing' : 'landing.sales.emailInvalid',
    }),
    ...(!message.trim() && { message: 'landing.sales.messageMissing' }),
  };
}

// Whatever goes wrong, the next try is about the same enquiry.
const requestOnce = createRequestMemory(() => true);

async function postEnquiry(form: Enquiry): Promise<'sent' | MessageKey> {
  const body = JSON.stringify(form);
  try {
    return await requestOnce(body, async (key) => {
      const response = await fetch('/api/sales-enquiries', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body,
      });
      if (response.status === 429) return 'landing.sales.tooMany';
      if (!response.ok) throw new Error('not taken');
      return 'sent';
    });
  } catch {
    return 'landing.sales.failed';
  }
}
