import type sharp from 'sharp';

const SIDE = 256;
/** A picture of a camera has fewer. */
const MOST_PIXELS = 50_000_000;
/** Each picture that is being drawn takes up to a hundred megabytes. */
const LONGEST_QUEUE = 4;

/** What the bytes themselves say; names and declared types say nothing. */
const formats = new Set(['jpeg', 'png', 'webp', 'gif', 'heif', 'avif']);

let codec: Promise<typeof sharp> | undefined;
let last: Promise<unknown> = Promise.resolve();
let waiting = 0;

export class TooManyPictures extends Error {
  override name = 'TooManyPictures';
}

/**
 * Draws somebody's picture anew: cropped to a square, small, without anything that the file held beside its pixels. Null for what
 * is no picture that we take: drawings of SVG, other files under the name of a picture, more pixels than any camera has.
 * @throws {TooManyPictures} when too many wait already.
 */
export async function drawAvatar(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (waiting >= LONGEST_QUEUE) throw new TooManyPictures();
  waiting += 1;
  const drawn = last.then(() => draw(bytes));
  // One at a time; what one picture came to is nothing to the next.
  last = drawn.catch(() => undefined);
  try {
    return await drawn;
  } finally {
    waiting -= 1;
  }
}

async function draw(bytes: Uint8Array): Promise<Uint8Array | null> {
  const open = await (codec ??= loadCodec());
  try {
    const picture = open(bytes, { limitInputPixels: MOST_PIXELS, pages: 1, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!format || !formats.has(format)) return null;
    return await picture
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover', position: 'attention' })
      .webp({ quality: 82 })
      .toBuffer();
  } catch {
    // Whatever it cannot read is no picture to us.
    return null;
  }
}

/** With the first picture: the codecs take memory that most processes never need. */
async function loadCodec(): Promise<typeof sharp> {
  const { default: open } = await import('sharp');
  open.cache(false);
  open.concurrency(1);
  // Drawings can refer to files and addresses.
  open.block({ operation: ['VipsForeignLoadSvg', 'VipsForeignLoadPdf', 'VipsForeignLoadMagick'] });
  return open;
}
