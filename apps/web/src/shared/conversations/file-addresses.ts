import { inWorkspace } from '../workspaces/tab-workspace.ts';

type FileOfMessage = { id: string };

/** Where the browser finds the bytes of a file that a message brought, in the workspace of this tab. */
export function contentOf({ id }: FileOfMessage): string {
  return inWorkspace(`/api/conversations/files/${id}`);
}

/** The same, to be saved instead of shown. */
export function downloadOf({ id }: FileOfMessage): string {
  return inWorkspace(`/api/conversations/files/${id}?download=1`);
}

export function thumbnailOf({ id }: FileOfMessage): string {
  return inWorkspace(`/api/conversations/files/${id}/thumbnail`);
}
