export type Download = {
  /** Stands in the name of the file, before its day: `contacts`. */
  subject: string;
  at: Date;
  extension: 'csv' | 'json' | 'xlsx' | 'archive';
  /** Media type, with its character set where it needs one. */
  type: string;
};

/** Answers with a file that is written page by page while it is downloaded; whoever stops reading ends the writing. */
export function sendDownload(
  pages: AsyncGenerator<string | Uint8Array, void>,
  { subject, at, extension, type }: Download,
): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pages.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await pages.return();
    },
  });
  return answerFile(body, { name: nameFile({ subject, at, extension }), type });
}

/** `contacts-2026-11-22.csv` */
export function nameFile({ subject, at, extension }: Omit<Download, 'type'>): string {
  return `${subject}-${at.toISOString().slice(0, 10)}.${extension}`;
}

/** A file for the disk of whoever asks, never for the browser to open; its name is one of `nameFile`. */
export function answerFile(
  body: ReadableStream<Uint8Array>,
  { name, type }: { name: string; type: string },
): Response {
  return new Response(body, {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'x-content-type-options': 'nosniff',
    },
  });
}
