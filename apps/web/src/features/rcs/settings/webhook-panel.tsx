import { t } from '../../../shared/messages.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { Banner } from '../../../ui/states.tsx';
import type { Connection } from '../../connection/connection-queries.ts';

/** What is entered at the platform, so that it tells of what happens. */
export function WebhookPanel({
  connection: { webhookUrl, webhookToken, webhookProblem },
}: {
  connection: Connection;
}) {
  return (
    <Panel title={t('rcs.webhook')} purpose={t('rcs.webhookPurpose')}>
      <div className="flex flex-col gap-4">
        {webhookProblem === null ? null : (
          <Banner tone="warning">{t(`connection.webhook.${webhookProblem}`)}</Banner>
        )}
        <Copied label={t('connection.webhook.url')} text={webhookUrl} />
        {webhookToken === null ? null : <Copied label={t('rcs.clientToken')} text={webhookToken} />}
      </div>
    </Panel>
  );
}

function Copied({ label, text }: { label: string; text: string }) {
  return (
    <Field label={label}>
      <span className="flex gap-2">
        <Input readOnly value={text} aria-label={label} className="font-mono" />
        <CopyButton text={text} />
      </span>
    </Field>
  );
}
