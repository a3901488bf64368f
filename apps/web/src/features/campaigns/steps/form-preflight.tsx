import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { t } from '../../../shared/messages.ts';
import { segmentsIn, toAudience } from '../../sending/audience/audience-selection.ts';
import { toVariables } from '../../sending/message/message-draft.ts';
import { PreflightPanel, usePreflight } from '../../sending/preflight-panel.tsx';
import { ReachLine } from '../../sending/reach-line.tsx';
import { TestSendButton } from '../../sending/test-send-button.tsx';
import { isComplete, toCampaignMessage, type CampaignFormValues } from '../campaign-form-values.ts';

/** What the server finds in a campaign before it is saved, and a way to send it to oneself. */
export function FormPreflight({ values, names }: { values: CampaignFormValues; names: readonly string[] }) {
  const fields = useCustomFields();
  const complete = isComplete({ ...values, name: '-' });
  const message = complete ? toCampaignMessage(values) : null;
  const query = usePreflight(message, toAudience(values.selection), values.channelId, {
    quietHours: values.quietHours,
    variables: toVariables(names, values.message.variables, fields),
  });
  if (!complete) return <p className="text-muted">{t('campaigns.form.checkLater')}</p>;
  return (
    <section className="rounded-card border border-border bg-surface p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">{t('sending.preflight.title')}</h3>
        <TestSendButton
          message={
            message && {
              message,
              variables: toVariables(names, values.message.variables, fields),
              channelId: values.channelId,
            }
          }
        />
      </div>
      <PreflightPanel
        query={query}
        holdoutPercent={Number(values.abTest?.holdoutPercent ?? 0)}
        segments={segmentsIn(values.selection).map(({ segmentId, name }) => ({ id: segmentId, name }))}
      />
      <ReachLine audience={toAudience(values.selection)} channelId={values.channelId} />
    </section>
  );
}
