import type sharp from 'sharp';

/** A picture of a camera has fewer; one of 50 megapixels unpacks to 200 MB. */
const MOST_PIXELS = 50_000_000;

/** What the bytes themselves say; names and declared types say nothing. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif', 'avif']);

let codec: Promise<typeof sharp> | undefined;
let last: Promise<unknown> = Promise.resolve();

export type OpenedPicture = {
  bytes: Uint8Array;
  picture: ReturnType<typeof sharp>;
  /** As it is looked at, however the camera was held. */
  width: number;
  height: number;
  format: string;
};

/**
 * Opens a picture when its turn has come: one at a time in a process, because each takes up to a hundred megabytes. Null for what is no picture that we
 * take: drawings of SVG, other files under the name of a picture, what is cut off, more pixels than any camera has. Its bytes are read when its turn
 * has come as well.
 */
export function withPicture<Result>(
  readBytes: () => Uint8Array | Promise<Uint8Array>,
  work: (opened: OpenedPicture) => Promise<Result>,
): Promise<Result | null> {
  const done = last.then(async () => open(await readBytes(), work));
  // What one picture came to is nothing to the next.
  last = done.catch(() => undefined);
  return done;
}

async function open<Result>(
  bytes: Uint8Array,
  work: (opened: OpenedPicture) => Promise<Result>,
): Promise<Result | null> {
  const read = await (codec ??= loadCodec());
  try {
    const picture = read(bytes, { limitInputPixels: MOST_PIXELS, pages: 1, failOn: 'error' });
    const { format, autoOrient } = await picture.metadata();
    if (!format || !formats.has(format)) return null;
    const { width, height } = autoOrient;
    return await work({ bytes, picture, format, width, height });
  } catch {
    // Whatever it cannot read is no picture to us.
    return null;
  }
}

/** With the first picture: the codecs take memory that most processes never need. */
async function loadCodec(): Promise<typeof sharp> {
  const { default: read } = await import('sharp');
  read.cache(false);
  read.concurrency(1);
  // Drawings can refer to files and addresses.
  read.block({ operation: ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick'] });
  return read;
}
