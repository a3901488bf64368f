import { pageInWorkspace } from '@app/domain/workspaces/workspace-rules';
import { useQuery } from '@tanstack/react-query';
import { Building2 } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { workspaceHere } from '../../shared/workspaces/tab-workspace.ts';
import type { PaletteEntry } from './palette-entries.tsx';

/** The workspaces to which this tab can go. */
export function useOtherWorkspaces(): PaletteEntry[] {
  const { data } = useQuery(orpc.workspaces.list.queryOptions({ input: {} }));
  return (data?.workspaces ?? [])
    .filter(({ workspaceId }) => workspaceId !== workspaceHere())
    .map(({ workspaceId, name }) => ({
      id: workspaceId,
      label: t('palette.switchTo', { name }),
      icon: <Building2 />,
      act: () => location.assign(pageInWorkspace(paths.dashboard, workspaceId)),
    }));
}
