import { useQuery } from '@tanstack/react-query';
import { orpc } from '../api.ts';
import { inWorkspace } from '../workspaces/tab-workspace.ts';

/** Whom messages come from, as customers know them; undefined until the session is known. */
export function useBusiness(): { name: string; image: string | null } | undefined {
  const { data } = useQuery(orpc.auth.getSession.queryOptions({ input: {}, staleTime: 60_000 }));
  return data
    ? { name: data.workspace.businessName, image: data.workspace.logo && inWorkspace(data.workspace.logo) }
    : undefined;
}
