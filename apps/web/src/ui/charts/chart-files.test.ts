import { expect, test } from 'vitest';
import { chartCsv } from './chart-files.ts';

test('figures leave as a spreadsheet reads them', () => {
  const series = [{ key: 'sent', label: 'Sent, all', color: 1 as const }];
  const points = [
    { label: 'Mon', values: { sent: 12.5 } },
    { label: 'say "hi"', values: {} },
  ];
  expect(chartCsv('Day', series, points)).toBe('\ufeffDay,"Sent, all"\r\nMon,12.5\r\n"say ""hi""",\r\n');
});

test('accents stay, and what stands behind a semicolon is no formula where that separates columns', () => {
  const series = [{ key: 'sent', label: 'Größe', color: 1 as const }];
  const csv = chartCsv('Kampagne', series, [{ label: 'Grüße;=1+1', values: { sent: 1 } }]);
  expect(csv).toBe("\ufeffKampagne,Größe\r\nGrüße;'=1+1,1\r\n");
});

test('a label cannot become a formula, a negative figure stays a number', () => {
  const series = [{ key: 'change', label: 'Change', color: 1 as const }];
  const csv = chartCsv('Name', series, [{ label: '=1+1', values: { change: -3 } }]);
  expect(csv).toBe("\ufeffName,Change\r\n'=1+1,-3\r\n");
});
