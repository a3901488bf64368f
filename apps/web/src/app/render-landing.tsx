import { renderToString } from 'react-dom/server';
import { LandingPage } from '../features/landing/landing-page.tsx';
import { loadMessages } from '../shared/messages.ts';
import { UiWordsProvider } from '../ui/ui-words.tsx';
import { interfaceWords } from './interface-words.ts';

/** The landing page in English as HTML. The build calls it, so that `/` shows before any script has arrived. */
export async function renderLanding(): Promise<string> {
  await loadMessages('common', 'landing');
  return renderToString(
    <UiWordsProvider words={interfaceWords()}>
      <LandingPage />
    </UiWordsProvider>,
  );
}
