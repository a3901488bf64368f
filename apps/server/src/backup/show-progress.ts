export type Progress = {
  now(line: () => string): void;
  say(line: string): void;
};

/** A line now and then, so that somebody who waits sees that it goes on; the last one always. */
export function showProgress(writeText: (text: string) => void, pauseMs = 2_000): Progress {
  const write = (line: string) => writeText(`${line}\n`);
  let shownAt = 0;
  return {
    now(line: () => string): void {
      if (Date.now() - shownAt < pauseMs) return;
      shownAt = Date.now();
      write(line());
    },
    say(line: string): void {
      // What comes next is shown at once.
      shownAt = 0;
      write(line);
    },
  };
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

export function megabytes(bytes: number): string {
  return bytes < 100_000
    ? `${(bytes / 1_000).toFixed(1)} kB`
    : `${(bytes / 1_000_000).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`;
}
