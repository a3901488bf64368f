import type { InboxSize } from './inbox/inbox-history.ts';

/** One figure of the scoreboard, with its goal beside what was measured. */
export type BenchRow = {
  figure: string;
  measured: string;
  peer: string;
  ratio?: number;
  goal: string;
  isMet: boolean;
};

export type BenchOptions = {
  rounds: number;
  messages: number;
  /** Size of a large audience. */
  large: number;
  /** Of the inbox. */
  size: InboxSize;
  /** Where a filled database is kept from one run to the next. */
  home: string | undefined;
};

export type Bench = { title: string; run(options: BenchOptions): Promise<BenchRow[]> };

export function toMarkdown(title: string, rows: readonly BenchRow[]): string {
  const head = ['Figure', 'Measured', 'Against', 'Ratio', 'Goal', 'Met'];
  const cells = rows.map((row) => [
    row.figure,
    row.measured,
    row.peer,
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.goal,
    row.isMet ? 'yes' : '**no**',
  ]);
  const line = (values: readonly string[]): string => `| ${values.join(' | ')} |`;
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...cells.map(line), ''].join('\n');
}
