import type { FlowConfig } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import { t } from '../../../../shared/messages.ts';
import { CopyButton } from '../../../../ui/copy-button.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Input } from '../../../../ui/input.tsx';

/** Where visitors find the form, and what shows it within another page. */
export function FormAddress({ config }: { config: FlowConfig }) {
  const slug = textOf(config, 'slug');
  if (slug === '') return null;
  const url = `${location.origin}/forms/${slug}`;
  const code = `<iframe src="${url}" title="${quoted(textOf(config, 'title'))}" style="width:100%;height:40rem;border:0"></iframe>`;
  return (
    <div className="grid gap-3">
      <Field label={t('automation.form.address')} hint={t('automation.form.hint')}>
        <Input readOnly dir="ltr" value={url} onFocus={(event) => event.target.select()} />
      </Field>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={url} label={t('automation.hook.copy')} />
        <CopyButton text={code} label={t('automation.form.copyCode')} />
      </div>
    </div>
  );
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
