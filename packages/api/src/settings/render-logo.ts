import { readPictureSize } from '@app/domain/media/picture-size';
import { findLogoProblem, logoLimits, type LogoFit, type LogoProblem } from '@app/domain/settings/logo';
import { renderInTurn } from '../platform/pictures/render-in-turn.ts';

export type RenderedLogo =
  | { outcome: 'drawn'; content: Uint8Array }
  | { outcome: 'media_type_unsupported' | LogoProblem };

/**
 * Draws it anew as a square, on white, without anything that the file held beside its pixels.
 * @throws {TooManyPictures} when too many wait already.
 */
export async function renderLogo(
  bytes: Uint8Array,
  fit: LogoFit,
  { leastSide = logoLimits.leastSide }: { leastSide?: number } = {},
): Promise<RenderedLogo> {
  const size = readPictureSize(bytes);
  if (!size) return { outcome: 'media_type_unsupported' };
  const problem = findLogoProblem(size, fit, leastSide);
  if (problem) return { outcome: problem };
  const content = await renderInTurn(bytes, (picture) =>
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
