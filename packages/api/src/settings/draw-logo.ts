import { readPictureSize } from '@app/domain/media/picture-size';
import { logoLimits, type LogoFit } from '@app/domain/settings/logo';
import { drawInTurn } from '../platform/pictures/draw-in-turn.ts';

export type DrawnLogo =
  | { outcome: 'drawn'; content: Uint8Array }
  | { outcome: 'media_type_unsupported' | 'picture_too_small' | 'picture_too_large' };

/**
 * Draws it anew as a square, on white, without anything that the file held beside its pixels.
 * @throws {TooManyPictures} when too many wait already.
 */
export async function drawLogo(
  bytes: Uint8Array,
  fit: LogoFit,
  { leastSide = logoLimits.leastSide }: { leastSide?: number } = {},
): Promise<DrawnLogo> {
  const size = readPictureSize(bytes);
  if (!size) return { outcome: 'media_type_unsupported' };
  if (size.width * size.height > logoLimits.pixels) return { outcome: 'picture_too_large' };
  // Of one that is shown whole the longer side fills the square.
  const side = fit === 'crop' ? Math.min(size.width, size.height) : Math.max(size.width, size.height);
  if (side < leastSide) return { outcome: 'picture_too_small' };
  const content = await drawInTurn(bytes, (picture) =>
    picture
      .autoOrient()
      .resize(logoLimits.side, logoLimits.side, {
        fit: fit === 'crop' ? 'cover' : 'contain',
        background: '#ffffff',
      })
      .flatten({ background: '#ffffff' })
      .jpeg({ quality: 90 })
      .toBuffer(),
  );
  return content ? { outcome: 'drawn', content } : { outcome: 'media_type_unsupported' };
}
