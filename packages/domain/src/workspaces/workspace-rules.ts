/** A name in one line, empty where nothing is left of it. */
export function readWorkspaceName(typed: string): string {
  return typed.replaceAll(/\s+/g, ' ').trim();
}

const LONGEST_SLUG = 40;

/**
 * What a workspace of this name is called in addresses: letters a to z, digits and hyphens. `mark` is a short text of the same
 * that no other workspace has, so that the address tells nobody whose names are taken.
 */
export function makeSlug(name: string, mark: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, '');
  return `${plain || 'workspace'}-${mark}`;
}

/** The address of a page in this workspace, for whoever comes from outside of the app. `path` is without a mark (`#`). */
export function pageInWorkspace(path: string, workspaceId: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}workspace=${workspaceId}`;
}
