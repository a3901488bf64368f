import { api } from '../api.ts';
import { keepChosenLanguage } from './chosen-language.ts';
import { loadMessages, switchLocale, t, type Locale } from '../messages.ts';
import { noteChoice } from '../session.ts';
import { isAnythingUnsaved, whenNothingIsUnsaved } from '../actions/unsaved-forms.ts';
import { loadFile } from '../../ui/load-file.ts';
import { notify } from '../../ui/toast.ts';

let lastChosen: Locale | undefined;

/**
 * Switches the interface, and keeps the choice with the account and in this browser. The pages are drawn anew for it, so
 * an open form is waited for: nothing that somebody has typed is lost.
 */
export async function chooseLanguage(locale: Locale): Promise<void> {
  lastChosen = locale;
  keepChosenLanguage(locale);
  // For what there may be to say, wherever somebody chooses.
  await loadFile(() => loadMessages('palette'));
  void saveLanguage(locale);
  if (isAnythingUnsaved()) notify.info(t('palette.languageAfterForm'));
  await whenNothingIsUnsaved();
  // Of two choices while a form was open, the second counts.
  if (lastChosen === locale) await loadFile(() => switchLocale(locale));
}

async function saveLanguage(language: Locale): Promise<void> {
  try {
    await api.profile.setLanguage({ language });
    noteChoice({ language });
  } catch {
    notify.error(t('palette.languageNotSaved'));
  }
}
