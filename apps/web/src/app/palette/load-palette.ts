import { loadMessages } from '../../shared/messages.ts';

/** The palette with its words. */
export async function loadPalette() {
  const [{ CommandPalette }] = await Promise.all([
    import('./command-palette.tsx'),
    loadMessages('palette', 'workspaces'),
  ]);
  return CommandPalette;
}
