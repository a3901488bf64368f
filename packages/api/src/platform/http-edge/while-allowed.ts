const LOOK_EVERY_MS = 2_000;

/**
 * The answer for as long as its caller may have it: a download that takes minutes breaks off once they are signed out or may do other things, as
 * one that is cut, so that nobody takes it for whole.
 */
export function whileAllowed(
  response: Response,
  isAllowed: () => Promise<boolean>,
  now = () => performance.now(),
): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  let lookAgainAt = now() + LOOK_EVERY_MS;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (now() >= lookAgainAt) {
          lookAgainAt = now() + LOOK_EVERY_MS;
          // A database that is away for a moment must not cut anybody off.
          if (!(await isAllowed().catch(() => true))) {
            await reader.cancel();
            return controller.error(new DownloadCut());
          }
        }
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

class DownloadCut extends Error {
  override message = 'This user is no longer allowed to download the file.';
}
