import {
  createCipheriv,
  createECDH,
  createHash,
  createHmac,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto';

const CURVE = 'prime256v1';
/** More than any message: it is one record. */
const RECORD_BYTES = 4_096;
const TOKEN_SECONDS = 12 * 3_600;

/** The keys of one browser, as it gave them, in base64url. */
export type BrowserKeys = { p256dh: string; auth: string };

/**
 * Seals a message for one browser, so that its push service cannot read it: RFC 8291 with the one record of RFC 8188. Throws for keys that are none.
 * Salt and pair are drawn anew for each message; a test gives those of the standard.
 */
export function sealPush(
  text: string,
  { p256dh, auth }: BrowserKeys,
  { salt = randomBytes(16), privateKey }: { salt?: Buffer; privateKey?: Buffer } = {},
): Buffer {
  const pair = createECDH(CURVE);
  if (privateKey) pair.setPrivateKey(privateKey);
  else pair.generateKeys();
  const theirs = Buffer.from(p256dh, 'base64url');
  const ours = pair.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = derive(pair.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // 2 says that it is the last record.
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final()]);
  const size = Buffer.alloc(5);
  size.writeUInt32BE(RECORD_BYTES);
  size.writeUInt8(ours.length, 4);
  return Buffer.concat([salt, size, ours, sealed, cipher.getAuthTag()]);
}

export type PushSigner = {
  /** By which browsers know whom they let push, in base64url. */
  publicKey: string;
  /** The header by which a push service knows the sender (RFC 8292). */
  authorize(endpoint: string, now: Date): string;
};

/** The one pair of this installation, made of a secret of its own: it is the same at every start, and no table holds it. */
export function createPushSigner(seed: string, contact: string): PushSigner {
  const pair = createECDH(CURVE);
  const privateKey = derivePrivateKey(seed);
  pair.setPrivateKey(privateKey);
  const point = pair.getPublicKey();
  const publicKey = point.toString('base64url');
  const key = createPrivateKey({
    format: 'jwk',
    key: {
      ...{ kty: 'EC', crv: 'P-256', d: privateKey.toString('base64url') },
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  return {
    publicKey,
    authorize(endpoint, now) {
      const claims = {
        aud: new URL(endpoint).origin,
        exp: Math.floor(now.getTime() / 1_000) + TOKEN_SECONDS,
        sub: contact,
      };
      const words = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
      const mark = sign('sha256', Buffer.from(words), { key, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${words}.${mark.toString('base64url')}, k=${publicKey}`;
    },
  };
}

/** The same text for what concerns the same thing: a service that waits for the browser keeps the latest of them. */
export function topicOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}

/** Of 2^32 numbers one is too large for the curve; then the next is taken. */
function derivePrivateKey(seed: string): Buffer {
  for (let round = 0; ; round += 1) {
    const key = createHmac('sha256', seed).update(`web push ${round}`).digest();
    try {
      createECDH(CURVE).setPrivateKey(key);
      return key;
    } catch {
      continue;
    }
  }
}

function derive(key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, bytes));
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
