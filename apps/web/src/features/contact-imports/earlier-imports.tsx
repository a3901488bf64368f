import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { showImport, type ContactImport } from './running-import.ts';
import type { UndoImport } from './use-undo-import.ts';

/** The newest imports: what came of each, and the way to take it back as a whole. */
export function EarlierImports({ undo }: { undo: UndoImport }) {
  const imports = useQuery(orpc.contactImports.list.queryOptions({ input: {}, staleTime: 0 }));
  const items = (imports.data?.items ?? []).filter(isShown).slice(0, 5);
  if (items.length === 0) return null;
  return (
    <section aria-label={t('contacts.earlierImports')}>
      <h3 className="mb-1.5 font-medium">{t('contacts.earlierImports')}</h3>
      <ul className="divide-y divide-border rounded-card border border-border">
        {items.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-40 flex-1">
              <span className="block truncate">{one.fileName || t('contacts.importPasted')}</span>
              <span className="text-sm text-muted tabular-nums">
                {formatDateTime(one.createdAt)} · {t('contacts.filterCount', { n: one.successful })}
                {one.failed > 0 ? ` · ${t('contacts.importFailedCount', { n: one.failed })}` : null}
              </span>
            </span>
            {one.failed > 0 ? (
              <Button
                size="small"
                aria-label={t('contacts.importShowResults', {
                  name: one.fileName || t('contacts.importPasted'),
                })}
                onClick={() => showImport(one)}
              >
                {t('contacts.importResultsShort')}
              </Button>
            ) : null}
            {one.state === 'undone' ? (
              <Badge>{t('contacts.importIsUndone')}</Badge>
            ) : undo.isAllowed && one.successful + one.optOuts > 0 ? (
              <Button size="small" onClick={() => void undo.ask(one)}>
                {t('contacts.importUndo')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}

function isShown({ isDryRun, state, successful, optOuts, failed }: ContactImport): boolean {
  return !isDryRun && successful + optOuts + failed > 0 && (state === 'done' || state === 'undone');
}
