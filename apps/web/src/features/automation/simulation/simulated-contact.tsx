import { Link } from '@tanstack/react-router';
import { entryReason } from '../../../shared/automation/workflow-words.ts';
import type { api } from '../../../shared/api.ts';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { OpeningRow } from '../../../ui/table/opening-row.tsx';
import { exitName, optionName, reasonText, stepName } from '../flow-words.ts';

type Row = Awaited<ReturnType<typeof api.workflowSimulations.listContacts>>['items'][number];
type Side = Row['draft'];
type Run = Side['runs'][number];

const tones: Record<Row['difference'], BadgeTone> = {
  ...{ enters: 'success', stays_out: 'danger', other_path: 'warning' },
  ...{ other_messages: 'info', same: 'neutral' },
};

/** One contact, and behind it both ways side by side. */
export function SimulatedContactRow({ row }: { row: Row }) {
  const { contact, difference } = row;
  return (
    <OpeningRow
      line={
        <>
          <span dir="auto" className="font-medium">
            {contact ? contact.name || (contact.phone ?? '') : t('simulation.noContact')}
          </span>
          <Badge tone={tones[difference]}>{t(`simulation.difference.${difference}`)}</Badge>
          {row.draft.messages === row.published.messages ? null : (
            <span className="text-muted">
              {t('simulation.messageCount', { n: row.published.messages })} →{' '}
              {t('simulation.messageCount', { n: row.draft.messages })}
            </span>
          )}
        </>
      }
    >
      {contact ? (
        <Link
          to={paths.contact(contact.id)}
          className="justify-self-start rounded text-primary-text underline"
        >
          {t('automation.openContact')}
        </Link>
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        {(['published', 'draft'] as const).map((name) => (
          <section key={name} aria-label={t(`simulation.side.${name}`)} className="grid content-start gap-2">
            <h3 className="font-medium">{t(`simulation.side.${name}`)}</h3>
            <SideRuns side={row[name]} />
          </section>
        ))}
      </div>
    </OpeningRow>
  );
}

function SideRuns({ side }: { side: Side }) {
  if (side.runs.length === 0)
    return (
      <div className="text-muted">
        <p>{t('simulation.doesNotEnter')}</p>
        {side.refused.length === 0 ? <p>{t('simulation.noTrigger')}</p> : null}
        {side.refused.map((reason) => (
          <p key={reason}>{entryReason(reason)}</p>
        ))}
      </div>
    );
  const more = side.count - side.runs.length;
  return (
    <>
      {side.runs.map((run, index) => (
        <RunWay key={index} run={run} />
      ))}
      {more > 0 ? <p className="text-muted">{t('simulation.moreRuns', { n: more })}</p> : null}
    </>
  );
}

function RunWay({ run }: { run: Run }) {
  const { path, end, unknown } = run;
  return (
    <div className="grid gap-1">
      <p className="text-muted">{formatDateTime(run.at)}</p>
      <ol className="list-decimal pl-5">
        {path.map(({ type, exit, code }, index) => (
          <li key={index} className={exit === 'failed' ? 'text-danger' : undefined}>
            {stepName(type)}
            {exit === null || exit === 'done' ? '' : `: ${exitName(exit)}`}
            {code === null ? '' : ` (${reasonText(code)})`}
          </li>
        ))}
      </ol>
      {end ? <p className="text-muted">{optionName(`run_${end.outcome}`)}</p> : null}
      {unknown ? <p className="text-muted">{t(`simulation.unknown.${unknown.why}`)}</p> : null}
    </div>
  );
}
