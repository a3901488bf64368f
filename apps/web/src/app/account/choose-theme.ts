import { api } from '../../shared/api.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { noteChoice } from '../../shared/session.ts';
import { setTheme, type ThemeChoice } from '../../shared/theme.ts';
import { loadFile } from '../../ui/load-file.ts';
import { notify } from '../../ui/toast.ts';

/** Of two choices in a row the second is what the account keeps, whichever answer comes last. */
let saving = Promise.resolve();

/** Changes the colours at once, and keeps the choice with the account: other browsers follow it, and so does the next sign-in. */
export function chooseTheme(theme: ThemeChoice): Promise<void> {
  setTheme(theme);
  noteChoice({ theme });
  saving = saving.then(() => saveTheme(theme));
  return saving;
}

async function saveTheme(theme: ThemeChoice): Promise<void> {
  try {
    await api.profile.setTheme({ theme });
    noteChoice({ theme });
  } catch {
    await loadFile(() => loadMessages('palette'));
    notify.error(t('palette.themeNotSaved'));
  }
}
