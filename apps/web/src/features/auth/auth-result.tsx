import type { ReactNode } from 'react';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { AuthFrame } from './auth-frame.tsx';

/** What a form of these pages came to, in place of the form. */
export function AuthResult({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <AuthFrame title={title}>
      <div role="status" className="flex items-start gap-3 rounded-card bg-success-soft p-4 text-success">
        <span aria-hidden className="[&_svg]:mt-0.5 [&_svg]:size-4">
          {icon}
        </span>
        <p>{text}</p>
      </div>
      <LinkButton href={paths.login} variant="secondary" className="mt-4 h-10 w-full">
        {t('auth.signUp.backToSignIn')}
      </LinkButton>
    </AuthFrame>
  );
}
