import { logoFits, logoLimits } from '@app/domain/settings/logo';
import { isUuid } from '@app/domain/uuid';
import { TooManyPictures } from '../platform/pictures/render-in-turn.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { renderLogo, type RenderedLogo } from './render-logo.ts';
import { findLogo, keepLogo } from './logos.ts';

/** Pictures of the business: one comes as it is and is drawn anew; it shows nowhere until the settings that name it are saved. */
export const logoFiles: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/api/settings/logo',
    access: 'settings:manage',
    body: { most: logoLimits.bytes, isFile: true },
    answer: takeLogoFile,
  },
  {
    method: 'GET',
    path: '/api/logos/:logoId',
    access: 'signed-in',
    answer: (_, context, parameter) => showLogo(context, parameter('logoId')),
  },
];

async function takeLogoFile(request: Request, context: SignedInContext): Promise<Response> {
  const asked = new URL(request.url).searchParams.get('fit') ?? 'crop';
  const fit = logoFits.find((one) => one === asked);
  if (!fit) return refuse('invalid_input', { message: 'fit is crop or whole.' });
  const sent = new Uint8Array(await request.arrayBuffer());
  let drawn: RenderedLogo;
  try {
    drawn = await renderLogo(sent, fit);
  } catch (error) {
    if (error instanceof TooManyPictures) return refuse('server_busy');
    throw error;
  }
  if (drawn.outcome !== 'drawn') return refuse(drawn.outcome);
  const { content } = drawn;
  return Response.json({ logo: await context.change((scope) => keepLogo(scope, content)) });
}

async function showLogo(context: SignedInContext, logoId: string): Promise<Response> {
  const content = isUuid(logoId) ? await context.read((scope) => findLogo(scope, logoId)) : null;
  if (!content) return refuse('media_not_found');
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': 'image/jpeg',
      'content-disposition': 'inline; filename="logo.jpg"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      // Another picture has another address.
      'cache-control': 'private, max-age=31536000, immutable',
    },
  });
}
