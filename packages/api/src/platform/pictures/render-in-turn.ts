import { withPicture, type OpenedPicture } from './picture-codec.ts';

/** Each picture that is being drawn takes up to a hundred megabytes. */
const LONGEST_QUEUE = 4;

let waiting = 0;

export class TooManyPictures extends Error {
  override name = 'TooManyPictures';
}

/**
 * What somebody waits for: a picture of theirs is drawn anew. Null for what is no picture that we take (`withPicture`).
 * @throws {TooManyPictures} when too many wait already.
 */
export async function renderInTurn(
  bytes: Uint8Array,
  draw: (picture: OpenedPicture['picture']) => Promise<Uint8Array>,
): Promise<Uint8Array | null> {
  if (waiting >= LONGEST_QUEUE) throw new TooManyPictures();
  waiting += 1;
  try {
    return await withPicture(
      () => bytes,
      ({ picture }) => draw(picture),
    );
  } finally {
    waiting -= 1;
  }
}
