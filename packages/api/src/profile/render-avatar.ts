import { renderInTurn } from '../platform/pictures/render-in-turn.ts';

const SIDE = 256;

/**
 * Draws somebody's picture anew: cropped to a square, small, without anything that the file held beside its pixels. Null for what
 * is no picture that we take (`withPicture`).
 * @throws {TooManyPictures} when too many wait already.
 */
export async function renderAvatar(bytes: Uint8Array): Promise<Uint8Array | null> {
  return renderInTurn(bytes, (picture) =>
    picture
      .autoOrient()
      .resize(SIDE, SIDE, { fit: 'cover', position: 'attention' })
      .webp({ quality: 82 })
      .toBuffer(),
  );
}
