import { beforeAll, expect, test } from 'vitest';
import { FiguresTable } from '../../src/features/rcs/analytics/figures-table.tsx';
import { loadMessages } from '../../src/shared/messages.ts';
import { find, findAll, show } from '../screen.tsx';

beforeAll(() => loadMessages('rcs-analytics'));

const none = { sent: 0, delivered: 0, read: 0, failed: 0, clicked: 0, converted: 0, fallback: 0, cost: 0 };

test('a share of nothing is a dash', async () => {
  show(
    <FiguresTable
      {...{ title: 'By message', labelHeader: 'Message', currency: 'EUR' }}
      rows={[{ label: 'Offer', figures: { ...none, sent: 4, delivered: 0, converted: 2 } }]}
    />,
  );
  await find('table', 'By message');
  const cells = findAll('cell').map((cell) => cell.textContent);
  expect(cells).toContain('2–');
  expect(cells.join(' ')).not.toContain('0%');
});
