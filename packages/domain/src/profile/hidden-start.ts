/** Under which name the preferences of a person say in which workspaces they hid the way to the first campaign. */
export const HIDDEN_START = 'hiddenStart';

/** Whether somebody with these stored preferences hid the way to the first campaign in this workspace. */
export function readHiddenStart(stored: Record<string, unknown> | null, workspaceId: string): boolean {
  const hidden = stored?.[HIDDEN_START];
  return typeof hidden === 'object' && hidden !== null && Object.hasOwn(hidden, workspaceId);
}
