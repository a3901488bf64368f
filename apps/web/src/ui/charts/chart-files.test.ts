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

test.each(['de', 'fr', 'es', 'pt'])(
  'a spreadsheet in %s gets decimal commas between semicolons',
  (locale) => {
    const series = [
      { key: 'rate', label: 'Quote; %', color: 1 as const },
      { key: 'change', label: 'Änderung', color: 1 as const },
    ];
    const points = [{ label: 'Grüße, =1', values: { rate: 200 / 3, change: -1.5 } }];
    expect(chartCsv('Kampagne', series, points, locale)).toBe(
      '\ufeffKampagne;"Quote; %";Änderung\r\nGrüße, =1;66,666667;-1,5\r\n',
    );
  },
);
