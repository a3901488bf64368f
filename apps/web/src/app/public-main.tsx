import { render } from 'preact';
import type { ComponentChild } from 'preact';
import { startPublicPages } from './public-app.tsx';

// The build of the public pages puts Preact in React's place, so what they draw are its elements.
const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');
void startPublicPages(root, (page) => render(page as ComponentChild, root));
