import { reportLinkLimits } from '@app/domain/analytics/report-link';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessage, errorMessageOf } from '../../shared/error-message.ts';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, NativeSelect } from '../../ui/input.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Banner, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { zoneOf, type AnalyticsSearch } from './analytics-queries.ts';
import { queryOf } from './view-query.ts';

type ReportLink = Awaited<ReturnType<typeof api.reportLinks.list>>['items'][number];

const linksOptions = orpc.reportLinks.list.queryOptions({ input: {} });
const linkErrorMessage = errorMessageOf({ report_links_full: 'analytics.links.full' });
const USUAL_DAYS = 30;

/** Makes a link to what the page shows, and lists those that there are. */
export function ReportLinks({
  search,
  name: viewName,
  onClose,
}: {
  search: AnalyticsSearch;
  /** Of the view that is shown, if it is a saved one. */
  name: string;
  onClose: () => void;
}) {
  const [name, setName] = useState(viewName);
  const [days, setDays] = useState<number>(USUAL_DAYS);
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const creating = useAction(orpc.reportLinks.create.mutationOptions());
  const removing = useAction(orpc.reportLinks.remove.mutationOptions());
  const links = useQuery(linksOptions);
  const isReady = name.trim() !== '';
  const readAgain = () => queryClient.invalidateQueries({ queryKey: linksOptions.queryKey });

  async function create() {
    if (!isReady || creating.isPending) return;
    try {
      await creating.mutateAsync({ name, query: queryOf(search), days, zone: zoneOf(search) });
      setName('');
    } catch {
      // Shown in the form, from the failed call.
    }
    await readAgain();
  }

  async function askToEnd(link: ReportLink) {
    const isSure =
      link.isOver ||
      (await confirm({
        title: t('analytics.links.endQuestion', { name: link.name }),
        text: t('analytics.links.endText'),
        confirmLabel: t('analytics.links.endConfirm'),
      }));
    if (!isSure) return;
    try {
      await removing.mutateAsync({ reportLinkId: link.id });
    } catch (error) {
      notify.error(linkErrorMessage(error));
    }
    await readAgain();
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t('analytics.links.share')}
      description={t('analytics.links.purpose')}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        {creating.error ? <Banner tone="danger">{linkErrorMessage(creating.error)}</Banner> : null}
        <Field label={t('analytics.links.name')} required>
          <Input
            value={name}
            dir="auto"
            maxLength={reportLinkLimits.name}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field label={t('analytics.links.days')}>
          <NativeSelect value={String(days)} onChange={({ target }) => setDays(Number(target.value))}>
            {reportLinkLimits.days.map((one) => (
              <option key={one} value={one}>
                {t('analytics.links.daysOption', { n: one })}
              </option>
            ))}
          </NativeSelect>
        </Field>
        <div>
          <Button
            type="submit"
            variant="primary"
            loading={creating.isPending}
            disabled={!isReady}
            title={isReady ? undefined : t('analytics.links.nameNeeded')}
          >
            {t('analytics.links.create')}
          </Button>
        </div>
      </form>
      <Links links={links} onEnd={(link) => void askToEnd(link)} />
    </Dialog>
  );
}

function Links({
  links: { data, error, refetch },
  onEnd,
}: {
  links: { data: { items: ReportLink[] } | undefined; error: Error | null; refetch: () => Promise<unknown> };
  onEnd: (link: ReportLink) => void;
}) {
  if (data === undefined)
    return error ? (
      <ErrorState className="py-6" text={errorMessage(error)} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRegion>
        <Skeleton className="mt-5 h-16 w-full" />
      </SkeletonRegion>
    );
  if (data.items.length === 0) return null;
  return (
    <section className="mt-5">
      <h3 className="font-medium">{t('analytics.links.list')}</h3>
      <ul className="mt-2 divide-y divide-border border-y border-border">
        {data.items.map((link) => (
          <li key={link.id} className="flex items-center gap-2 py-1.5">
            <div className="min-w-0 flex-1">
              <bdi className="block truncate font-medium">{link.name}</bdi>
              <p className="text-sm wrap-anywhere text-muted">
                {t(link.isOver ? 'analytics.links.over' : 'analytics.links.until', {
                  date: formatDate(link.endsAt),
                })}
                {link.createdBy ? ` · ${link.createdBy}` : null}
              </p>
            </div>
            {link.isOver ? null : (
              <>
                <CopyButton text={link.url} />
                <IconButton
                  label={t('analytics.links.open', { name: link.name })}
                  onClick={() => window.open(link.url, '_blank', 'noopener,noreferrer')}
                >
                  <ExternalLink aria-hidden />
                </IconButton>
              </>
            )}
            <IconButton label={t('analytics.links.end', { name: link.name })} onClick={() => onEnd(link)}>
              <Trash2 aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
