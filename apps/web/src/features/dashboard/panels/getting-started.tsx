import type { StartStep } from '@app/domain/dashboard/getting-started';
import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, Circle, ExternalLink, X } from 'lucide-react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { t, type MessageKey } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { notifyWithUndo } from '../../../shared/undo.ts';
import { IconButton, LinkButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Panel } from '../../../ui/page-frame.tsx';
import { notify } from '../../../ui/toast.ts';
import { startOptions, type GettingStarted as Start } from '../dashboard-queries.ts';

type Way = { label: MessageKey; to: string; search: Record<string, string> };

/** Where each step is taken. */
const WAYS: Record<StartStep, readonly Way[]> = {
  number: [{ label: 'home.start.number.do', to: paths.settings, search: { tab: 'api' } }],
  contacts: [
    { label: 'home.start.contacts.import', to: paths.contacts, search: { dialog: 'import' } },
    { label: 'home.start.contacts.add', to: paths.contacts, search: { dialog: 'new' } },
  ],
  template: [{ label: 'home.start.template.do', to: paths.templates, search: { dialog: 'new' } }],
  campaign: [
    { label: 'home.start.campaign.do', to: paths.campaigns, search: { form: 'new' } },
    { label: 'home.start.campaign.bulk', to: paths.bulkMessage, search: {} },
  ],
  // The phones are no page of the dashboard: their address comes with the steps.
  phone: [],
  reply: [{ label: 'home.start.reply.do', to: paths.inbox, search: {} }],
  real: [{ label: 'sample.start', to: paths.settings, search: { tab: 'data' } }],
};

/** The first steps of a new workspace, or through the sample. A step that is done stays in the list and shows the progress. */
export function GettingStarted({ start: { steps, connection, phones } }: { start: Start }) {
  const hide = useHiding();
  const next = steps.find(({ isDone }) => !isDone)?.step;
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Panel
      title={t('home.start.title')}
      purpose={t('home.start.progress', { done, total: steps.length })}
      actions={
        <IconButton size="small" label={t('home.start.hide')} onClick={() => hide.mutate(true)}>
          <X aria-hidden />
        </IconButton>
      }
      flush
    >
      <ol aria-label={t('home.start.title')} className="divide-y divide-border px-5 pb-1">
        {steps.map(({ step, isDone }) => (
          <li key={step} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
            {isDone ? (
              <CircleCheck aria-hidden className="size-5 shrink-0 text-success" />
            ) : (
              <Circle aria-hidden className="size-5 shrink-0 text-muted" />
            )}
            <div className="min-w-0 flex-1 basis-52">
              <p className={classNames('font-medium', isDone && 'text-muted')}>
                {t(`home.start.${step}`)}
                {isDone ? <span className="sr-only"> {t('home.start.isDone')}</span> : null}
              </p>
              <p className="text-sm text-pretty text-muted">
                {step === 'number' && connection === 'sandbox'
                  ? t('home.start.number.sandbox')
                  : t(`home.start.${step}.why`)}
              </p>
            </div>
            {isDone && step !== 'phone' ? null : (
              <div className="flex flex-wrap gap-2 max-sm:pl-8">
                {step === 'phone' && phones !== null ? (
                  <LinkButton
                    href={phones}
                    target="_blank"
                    rel="noreferrer"
                    size="small"
                    variant={step === next ? 'primary' : 'secondary'}
                    icon={<ExternalLink aria-hidden />}
                  >
                    {t('home.start.phone.do')}
                  </LinkButton>
                ) : null}
                {WAYS[step].map(({ label, to, search }, at) => (
                  <ButtonLink
                    key={label}
                    to={to}
                    search={search}
                    size="small"
                    variant={step === next && at === 0 ? 'primary' : 'secondary'}
                  >
                    {t(label)}
                  </ButtonLink>
                ))}
              </div>
            )}
          </li>
        ))}
      </ol>
    </Panel>
  );
}

/** Kept for this person and workspace, on each of their devices. */
function useHiding() {
  const queryClient = useQueryClient();
  const hide = useAction({
    mutationFn: (isHidden: boolean) => api.profile.setStartHidden({ isHidden }),
    onSuccess: ({ isHidden }) => {
      queryClient.setQueryData(startOptions.queryKey, (start) => start && { ...start, isHidden });
      if (isHidden) notifyWithUndo(t('home.start.hidden'), () => hide.mutateAsync(false));
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  return hide;
}
