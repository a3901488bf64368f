import { pageInWorkspace } from '@app/domain/workspaces/workspace-rules';
import { Check } from 'lucide-react';
import type { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { workspaceHere } from '../../shared/workspaces/tab-workspace.ts';
import { initialsOf } from '../../ui/avatar.tsx';

export type OwnWorkspace = Awaited<ReturnType<typeof api.workspaces.list>>['workspaces'][number];

/** Of what the arrow keys go through. */
export const ENTRY = 'flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-hover';

/** Each leads into its workspace, with a document of its own: nothing of another one stays in memory. In another tab it opens beside this one. */
export function WorkspaceLinks({
  workspaces,
  label,
  onStay,
}: {
  workspaces: readonly OwnWorkspace[];
  label: string;
  /** The one of this tab was pressed. */
  onStay?: () => void;
}) {
  return (
    <ul aria-label={label} className="flex flex-col">
      {workspaces.map(({ workspaceId, name, role }) => {
        const isHere = workspaceId === workspaceHere();
        return (
          <li key={workspaceId}>
            <a
              data-entry={name}
              href={pageInWorkspace(paths.dashboard, workspaceId)}
              aria-current={isHere ? 'true' : undefined}
              onClick={(event) => {
                if (!isHere || !onStay || event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                onStay();
              }}
              className={ENTRY}
            >
              <WorkspaceSign name={name} />
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate leading-5 font-medium" title={name}>
                  {name}
                </span>
                <span className="block text-sm text-muted">{t(`common.role.${role}`)}</span>
              </span>
              {isHere ? <Check aria-hidden className="size-4 shrink-0 text-primary-text" /> : null}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function WorkspaceSign({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-md bg-neutral-soft text-xs font-semibold"
    >
      {initialsOf(name)}
    </span>
  );
}
