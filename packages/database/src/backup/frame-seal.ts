import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { BackupError } from './backup-error.ts';
import type { Encryption } from './backup-header.ts';

/** Of scrypt, with blocks of 8: a guess takes about a third of a second and 128 MiB. */
const COST = 2 ** 17;
const BLOCK = 8;
export const TAG_BYTES = 16;

/**
 * Closes the frames of one file: with a passphrase by AES-256-GCM, else by a checksum. Both cover the header and the place of the frame,
 * so that none can be changed, moved or left out unseen.
 */
export type FrameSeal = {
  close(place: number, kind: number, body: Uint8Array): { body: Uint8Array; tag: Uint8Array };
  /** @throws {BackupError} */
  open(place: number, kind: number, body: Uint8Array, tag: Uint8Array): Uint8Array;
};

/** A key of its own for each file. */
export async function beginEncryption(passphrase: string): Promise<{ encryption: Encryption; key: Buffer }> {
  const salt = randomBytes(16);
  const key = await deriveKey(passphrase, salt, COST);
  return {
    encryption: {
      kdf: 'scrypt',
      cost: COST,
      salt: salt.toString('base64'),
      check: checkOf(key),
    },
    key,
  };
}

/** @throws {BackupError} for a passphrase that is not the file's */
export async function findKey(encryption: Encryption, passphrase: string | undefined): Promise<Buffer> {
  if (!passphrase) throw new BackupError('passphrase_missing');
  if (!isEncryption(encryption)) throw new BackupError('damaged');
  const { cost, salt, check } = encryption;
  const key = await deriveKey(passphrase, Buffer.from(salt, 'base64'), cost);
  const found = Buffer.from(checkOf(key));
  const wanted = Buffer.from(check);
  if (found.length !== wanted.length || !timingSafeEqual(found, wanted))
    throw new BackupError('passphrase_wrong');
  return key;
}

/** The header is read before anything vouches for its bytes: a file asks for no more memory than one of ours does. */
function isEncryption({ kdf, cost, salt, check }: Record<keyof Encryption, unknown>): boolean {
  const isCost = typeof cost === 'number' && cost >= 2 && cost <= COST && Number.isInteger(Math.log2(cost));
  return kdf === 'scrypt' && isCost && typeof salt === 'string' && typeof check === 'string';
}

export function sealWithKey(key: Buffer, headerHash: Buffer): FrameSeal {
  return {
    close(place, kind, body) {
      const cipher = createCipheriv('aes-256-gcm', key, nonce(place));
      cipher.setAAD(covered(headerHash, place, kind));
      const closed = Buffer.concat([cipher.update(body), cipher.final()]);
      return { body: closed, tag: cipher.getAuthTag() };
    },
    open(place, kind, body, tag) {
      const decipher = createDecipheriv('aes-256-gcm', key, nonce(place));
      decipher.setAAD(covered(headerHash, place, kind));
      decipher.setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(body), decipher.final()]);
      } catch {
        throw new BackupError('damaged');
      }
    },
  };
}

export function sealWithChecksum(headerHash: Buffer): FrameSeal {
  const sum = (place: number, kind: number, body: Uint8Array) =>
    createHash('sha256')
      .update(covered(headerHash, place, kind))
      .update(body)
      .digest()
      .subarray(0, TAG_BYTES);
  return {
    close: (place, kind, body) => ({ body, tag: sum(place, kind, body) }),
    open(place, kind, body, tag) {
      if (!sum(place, kind, body).equals(tag)) throw new BackupError('damaged');
      return body;
    },
  };
}

function deriveKey(passphrase: string, salt: Buffer, cost: number): Promise<Buffer> {
  const limits = { N: cost, r: BLOCK, p: 1, maxmem: 256 * cost * BLOCK };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFC'), salt, 32, limits, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function checkOf(key: Buffer): string {
  return createHmac('sha256', key).update('passphrase').digest('base64').slice(0, 12);
}

/** Each place is there once, and the key belongs to one file. */
function nonce(place: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64BE(BigInt(place), 4);
  return bytes;
}

function covered(headerHash: Buffer, place: number, kind: number): Buffer {
  const bytes = Buffer.alloc(9);
  bytes.writeBigUInt64BE(BigInt(place));
  bytes.writeUInt8(kind, 8);
  return Buffer.concat([headerHash, bytes]);
}
