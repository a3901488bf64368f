import type { api } from '../../../shared/api.ts';
import { formatNumber, formatRate } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Waiting } from './shares.tsx';

type Flows = Awaited<ReturnType<typeof api.chatbot.getAnalytics>>['flows'];

/** Flows that ran, the one with the most runs first and open: how many customers reached each step, and where they went no further. */
export function DropOff({ flows }: { flows: Flows | undefined }) {
  if (!flows) return <Waiting />;
  if (flows.length === 0) return <p className="py-4 text-muted">{t('chatbot.nothingYet')}</p>;
  return (
    <ul className="flex flex-col gap-3">
      {flows.map(({ flowId, name, started, steps }, place) => (
        <li key={flowId}>
          <details open={place === 0}>
            <summary className="cursor-pointer font-medium">
              <bdi>{name}</bdi>{' '}
              <span className="font-normal text-muted">{t('chatbot.runs', { n: started })}</span>
            </summary>
            <ol className="mt-2 flex flex-col gap-2.5">
              {steps.map(({ stepId, text, reached, stopped }, number) => (
                <li key={stepId}>
                  <p className="flex justify-between gap-3">
                    <span dir="auto" className="min-w-0 truncate">
                      {text || t('chatbot.stepNumber', { n: number + 1 })}
                    </span>
                    <span className="shrink-0 text-muted tabular-nums">
                      {formatNumber(reached)} · {formatRate(reached, started)}
                    </span>
                  </p>
                  <div aria-hidden className="mt-1 h-2 overflow-hidden rounded-full bg-sunken">
                    <div
                      className="h-full rounded-full bg-primary"
                      style={{ width: `${Math.min(1, reached / started) * 100}%` }}
                    />
                  </div>
                  {stopped > 0 ? (
                    <p className="text-sm text-warning">{t('chatbot.stoppedHere', { n: stopped })}</p>
                  ) : null}
                </li>
              ))}
            </ol>
          </details>
        </li>
      ))}
    </ul>
  );
}
