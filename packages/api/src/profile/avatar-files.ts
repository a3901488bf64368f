import { isUuid } from '@app/domain/uuid';
import { changeOwnAccount } from '../platform/account/own-account.ts';
import type { SignedInContext } from '../platform/request-context.ts';
import type { FileRoute } from '../platform/http-edge/file-routes.ts';
import { refuse } from '../platform/http-edge/refuse.ts';
import { findAvatar, keepAvatar } from './avatars.ts';
import { TooManyPictures } from '../platform/pictures/render-in-turn.ts';
import { renderAvatar } from './render-avatar.ts';

const LARGEST_PICTURE = 5 * 1024 * 1024;

/** The pictures of people: one's own comes as it is and is drawn anew; those of the workspace's members are shown. */
export const avatarFiles: readonly FileRoute[] = [
  {
    method: 'POST',
    path: '/api/profile/avatar',
    access: 'signed-in',
    body: { most: LARGEST_PICTURE, isFile: true },
    answer: takeAvatar,
  },
  {
    method: 'GET',
    path: '/api/avatars/:userId',
    access: 'signed-in',
    answer: (_, context, parameter) => showAvatar(context, parameter('userId')),
  },
];

async function takeAvatar(request: Request, context: SignedInContext): Promise<Response> {
  const sent = new Uint8Array(await request.arrayBuffer());
  let drawn: Uint8Array | null;
  try {
    drawn = await renderAvatar(sent);
  } catch (error) {
    if (error instanceof TooManyPictures) return refuse('server_busy');
    throw error;
  }
  if (!drawn) return refuse('media_type_unsupported');
  const picture = drawn;
  const avatar = await changeOwnAccount(context, (account) => keepAvatar(account, picture));
  return Response.json({ avatar });
}

async function showAvatar(context: SignedInContext, userId: string): Promise<Response> {
  const content = isUuid(userId) ? await context.read((scope) => findAvatar(scope, userId)) : null;
  if (!content) return refuse('media_not_found');
  return new Response(new Uint8Array(content), {
    headers: {
      'content-type': 'image/webp',
      'content-disposition': 'inline; filename="avatar.webp"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      // Its address changes with the picture; another member of this browser asks for it anew.
      'cache-control': 'private, max-age=31536000, immutable',
    },
  });
}
