import { t } from '../../shared/messages.ts';

/** How much of a limit is used; it never cuts what is typed. */
export function TextCounter({ text, limit }: { text: string; limit: number }) {
  const used = [...text].length;
  return (
    <span className={used > limit ? 'font-medium text-danger tabular-nums' : 'tabular-nums'}>
      {t('templates.form.counter', { used, limit })}
    </span>
  );
}
