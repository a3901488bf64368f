import { randomInt } from 'node:crypto';
import { Hono, type Context } from 'hono';
import { textOf, type JsonObject } from '../../core/json.ts';
import { numberOf } from '../access.ts';
import { GraphError } from '../errors.ts';
import { readFields } from '../field-request.ts';
import { showEdge, showNode } from '../nodes/node-type.ts';
import { qrCodeNode, qrImageUrl } from '../nodes/number-node.ts';
import type { Platform } from '../platform.ts';
import type { BusinessNumber, QrCode } from '../store.ts';
import { nodeContext, originOf, type GraphEnv } from './graph-env.ts';
import { readParameters, required } from './parameters.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const MOST_CODES = 2000;

/** `message_qrdls`: codes and links that open a chat with a text already written. */
export function qrCodeRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  const numberIn = (c: Context<GraphEnv>) => numberOf(platform, c.get('graphApp'), c.req.param('id') ?? '');

  app.get('/:id/message_qrdls', (c) => {
    const { code, ...query } = c.req.query();
    const codes = (numberIn(c).qrCodes ?? []).filter((qr) => code === undefined || qr.code === code);
    return c.json(showEdge(qrCodeNode, codes, withCode(query), nodeContext(platform, c)));
  });
  app.get('/:id/message_qrdls/:code', (c) => {
    const qr = findCode(numberIn(c), c.req.param('code'));
    const shown = showNode(qrCodeNode, qr, withCode(c.req.query()).fields, nodeContext(platform, c));
    return c.json({ data: [shown] });
  });

  app.post('/:id/message_qrdls', async (c) => {
    const body = await readParameters(c);
    return c.json(saveCode(platform, c, numberIn(c), textOf(body['code']), body));
  });
  app.post('/:id/message_qrdls/:code', async (c) =>
    c.json(saveCode(platform, c, numberIn(c), c.req.param('code'), await readParameters(c))),
  );

  app.delete('/:id/message_qrdls/:code', (c) =>
    c.json(removeCode(platform, numberIn(c), c.req.param('code'))),
  );
  app.delete('/:id/message_qrdls', async (c) => {
    const body = await readParameters(c);
    required(body, 'code');
    return c.json(removeCode(platform, numberIn(c), textOf(body['code']) ?? ''));
  });
  return app;
}

/** The code is always part of the answer. */
function withCode(query: Record<string, string>): Record<string, string> & { fields?: string } {
  const { fields } = query;
  if (!fields || readFields(fields).some(({ name }) => name === 'code')) return query;
  return { ...query, fields: `code,${fields}` };
}

function findCode(number: BusinessNumber, code: string): QrCode {
  const qr = number.qrCodes?.find((item) => item.code === code);
  if (!qr) throw new GraphError(100, { message: `(#100) QR code ${code} does not exist` });
  return qr;
}

function saveCode(
  platform: Platform,
  c: Context<GraphEnv>,
  number: BusinessNumber,
  code: string | undefined,
  body: JsonObject,
): JsonObject {
  required(body, 'prefilled_message');
  const message = textOf(body['prefilled_message']) ?? '';
  if (message.length > 140)
    throw new GraphError(100, { message: '(#100) Param prefilled_message must have at most 140 characters' });
  const format = textOf(body['generate_qr_image'])?.toUpperCase();
  if (format !== undefined && format !== 'PNG' && format !== 'SVG')
    throw new GraphError(100, { message: '(#100) Param generate_qr_image must be one of {PNG, SVG}' });
  number.qrCodes ??= [];
  let qr: QrCode;
  if (code === undefined) {
    if (number.qrCodes.length >= MOST_CODES)
      throw new GraphError(100, { message: `(#100) A number has at most ${MOST_CODES} QR codes` });
    qr = { code: newCode(), message, createdAt: Date.now() };
    number.qrCodes.unshift(qr);
  } else {
    qr = findCode(number, code);
    qr.message = message;
  }
  platform.changed();
  const shown = showNode(qrCodeNode, qr, undefined, nodeContext(platform, c));
  return { ...shown, ...(format ? { qr_image_url: qrImageUrl(originOf(c), qr, format) } : {}) };
}

function removeCode(platform: Platform, number: BusinessNumber, code: string): JsonObject {
  const doomed = findCode(number, code);
  number.qrCodes = number.qrCodes?.filter((qr) => qr !== doomed) ?? [];
  platform.changed();
  return { success: true };
}

function newCode(): string {
  return Array.from({ length: 14 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
