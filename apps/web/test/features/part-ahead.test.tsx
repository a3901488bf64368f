import { Suspense } from 'react';
import { expect, test } from 'vitest';
import { partAhead } from '../../src/features/dashboard/part-ahead.ts';
import { eventually, show, shownText } from '../screen.tsx';

function draw(Part: ReturnType<typeof partAhead<object>>) {
  const seen: string[] = [];
  function Place() {
    seen.push('place');
    return 'Place';
  }
  show(
    <Suspense fallback={<Place />}>
      <Part />
    </Suspense>,
  );
  return seen;
}

test('a part that was loaded before it is drawn needs no placeholder', async () => {
  const Part = partAhead(async () => () => 'Figures');
  await Part.load();
  const seen = draw(Part);
  await eventually(() => expect(shownText()).toContain('Figures'));
  expect(seen).toEqual([]);
});

test('one that was not comes by itself, after its placeholder', async () => {
  const Part = partAhead(async () => () => 'Figures');
  const seen = draw(Part);
  await eventually(() => expect(shownText()).toContain('Figures'));
  expect(seen).not.toEqual([]);
});
