import { withPicture } from '../platform/pictures/picture-codec.ts';

const SIDE = 256;
/** Each picture that is being drawn takes up to a hundred megabytes. */
const LONGEST_QUEUE = 4;

let waiting = 0;

export class TooManyPictures extends Error {
  override name = 'TooManyPictures';
}

/**
 * Draws somebody's picture anew: cropped to a square, small, without anything that the file held beside its pixels. Null for what
 * is no picture that we take (`withPicture`).
 * @throws {TooManyPictures} when too many wait already.
 */
export async function drawAvatar(bytes: Uint8Array): Promise<Uint8Array | null> {
  if (waiting >= LONGEST_QUEUE) throw new TooManyPictures();
  waiting += 1;
  try {
    return await withPicture(
      () => bytes,
      ({ picture }) =>
        picture
          .autoOrient()
          .resize(SIDE, SIDE, { fit: 'cover', position: 'attention' })
          .webp({ quality: 82 })
          .toBuffer(),
    );
  } finally {
    waiting -= 1;
  }
}
