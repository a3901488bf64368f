import type { api } from '../../../shared/api.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Waiting } from './shares.tsx';

type Rows = Awaited<ReturnType<typeof api.chatbot.getAnalytics>>['outcomes'];

/** A row for each tenth of confidence: where people are needed often, the threshold is too low. */
export function Outcomes({ rows }: { rows: Rows | undefined }) {
  if (!rows) return <Waiting />;
  if (rows.length === 0) return <p className="py-4 text-muted">{t('chatbot.noModelYet')}</p>;
  const range = (from: number) => `${formatNumber(from)}–${formatNumber(Math.round((from + 0.1) * 10) / 10)}`;
  return (
    <table className="w-full text-start">
      <thead>
        <tr className="text-sm text-muted">
          {(['confidence', 'outcome.solved', 'outcome.handedOver', 'outcome.unused'] as const).map(
            (name, place) => (
              <th
                key={name}
                scope="col"
                className={`pb-1 font-medium ${place === 0 ? 'text-start' : 'text-end'}`}
              >
                {t(`chatbot.${name}`)}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {rows.toReversed().map(({ from, solved, handedOver, unused }) => (
          <tr key={from} className="border-t border-border">
            <th scope="row" className="py-1.5 text-start font-normal">
              {range(from)}
            </th>
            <td className="text-end">{formatNumber(solved)}</td>
            <td className={`text-end ${handedOver > solved ? 'font-medium text-warning' : ''}`}>
              {formatNumber(handedOver)}
            </td>
            <td className="text-end text-muted">{formatNumber(unused)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
