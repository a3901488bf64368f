import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { expect, test } from 'vitest';
import { useShortcuts } from '../../src/app/palette/use-shortcuts.ts';
import { eventually, find, pressKey, show } from '../screen.tsx';

const nothing = () => undefined;

test('the first keys of a page count, though what acts on them is still on its way', async () => {
  const saved: string[] = [];
  function Page() {
    useShortcuts({ onPalette: nothing, onHelp: nothing });
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saved.push('saved');
        }}
      >
        <input aria-label="Name" />
        <button type="submit">Save</button>
      </form>
    );
  }
  const history = createMemoryHistory({ initialEntries: ['/'] });
  const router = createRouter({ routeTree: createRootRoute({ component: Page }), history });
  show(<RouterProvider router={router} />);
  (await find('textbox', 'Name')).focus();
  // As a keyboard does: Ctrl by itself, then Enter with it.
  pressKey('Control', { ctrlKey: true });
  pressKey('Enter', { ctrlKey: true });
  await eventually(() => expect(saved).toEqual(['saved']));
});
