import { CircleCheck, CircleDashed, ExternalLink } from 'lucide-react';
import { findText, t } from '../../shared/messages.ts';
import { Panel } from '../../ui/page-frame.tsx';
import type { ConnectionKind, Server } from './connection-queries.ts';
import { fieldLabel } from './credential-field.tsx';

/** What to press at the vendor for each value, with a mark once the value is right. */
export function ConnectionGuide({
  kind,
  server,
  isRight,
}: {
  kind: ConnectionKind;
  /** Whose console the values stand in. */
  server: Server;
  isRight: (field: string) => boolean;
}) {
  const place = server === 'sandbox' ? `sandbox.${kind.name}` : kind.name;
  const done = kind.fields.filter(({ name }) => isRight(name)).length;
  return (
    <Panel
      title={t('connection.guide')}
      purpose={t('connection.guideDone', { done, all: kind.fields.length })}
    >
      <p className="mb-3 text-sm text-muted">{findText(`connection.guideStart.${place}`)}</p>
      {server === 'sandbox' && kind.sandboxConsole !== null ? (
        <a
          href={kind.sandboxConsole}
          target="_blank"
          rel="noreferrer"
          className="mb-3 inline-flex items-center gap-1 font-medium text-primary underline"
        >
          {t('connection.openConsole')} <ExternalLink aria-hidden className="size-4" />
        </a>
      ) : null}
      <ol className="flex flex-col gap-3">
        {kind.fields.map((field) => (
          <li key={field.name} className="flex gap-2">
            {isRight(field.name) ? (
              <CircleCheck
                aria-label={t('connection.right')}
                className="mt-0.5 size-4 shrink-0 text-success"
              />
            ) : (
              <CircleDashed aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
            )}
            <div className="min-w-0">
              <p className="font-medium">{fieldLabel(field)}</p>
              <p className="text-sm text-muted">
                {findText(`connection.step.${server === 'sandbox' ? 'sandbox.' : ''}${field.label}`)}
              </p>
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-3 text-sm text-muted">{t('connection.guideEnd')}</p>
    </Panel>
  );
}
