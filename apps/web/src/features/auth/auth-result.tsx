import type { ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';

const tones = { success: 'bg-success-soft text-success', danger: 'bg-danger-soft text-danger' };

/** What a form of these pages came to, in place of the form. */
export function AuthResult({
  icon,
  tone = 'success',
  title,
  text,
  hasWayBack = true,
}: {
  icon: ReactNode;
  tone?: 'success' | 'danger';
  title: string;
  text: string;
  hasWayBack?: boolean;
}) {
  return (
    <AuthFrame title={title}>
      <div role="status" className={`flex items-start gap-3 rounded-card p-4 ${tones[tone]}`}>
        <span aria-hidden className="[&_svg]:mt-0.5 [&_svg]:size-4">
          {icon}
        </span>
        <p>{text}</p>
      </div>
      {hasWayBack ? (
        <LinkButton href={paths.login} variant="secondary" className="mt-4 h-10 w-full">
          {t('auth.signUp.backToSignIn')}
        </LinkButton>
      ) : null}
    </AuthFrame>
  );
}
