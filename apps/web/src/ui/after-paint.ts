/** A tab in the background paints nothing. */
const LONGEST_WAIT_MS = 100;

/** Acts once the browser has shown what stands now, so that a press is answered before heavy work begins. */
export function afterPaint(act: () => void): () => void {
  let timer = setTimeout(run, LONGEST_WAIT_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run);
  });
  function run() {
    cancelAnimationFrame(frame);
    act();
  }
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
