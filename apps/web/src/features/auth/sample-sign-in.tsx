import { FlaskConical } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';

/** The sign-in of the sample workspace, shown only while there is one. */
export function SampleSignIn({
  email,
  password,
  onFill,
}: {
  email: string;
  password: string;
  onFill: (form: { email: string; password: string }) => void;
}) {
  return (
    <section className="mt-8 flex items-start gap-3 rounded-card border border-border bg-surface p-4">
      <FlaskConical aria-hidden className="mt-0.5 size-4 shrink-0 text-primary-text" />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">{t('auth.sample.title')}</h2>
        <p className="mt-0.5 text-muted">
          {t('auth.sample.text')} <span className="font-medium text-text">{email}</span>{' '}
          {t('auth.sample.and')} <span className="font-medium text-text">{password}</span>.
        </p>
      </div>
      <Button size="small" onClick={() => onFill({ email, password })}>
        {t('auth.sample.fill')}
      </Button>
    </section>
  );
}
