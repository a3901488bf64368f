import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { SecretBox } from '@app/api/platform/request-context';

const VERSION = 'v1';

/** Seals stored credentials with AES-256-GCM and makes fingerprints with HMAC-SHA-256, under keys derived from SECRET_KEY. */
export function createSecretBox(secretKey: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'stored credentials', 32));
  const fingerprintKey = Buffer.from(hkdfSync('sha256', secretKey, '', 'fingerprints', 32));
  return {
    seal: async (plain) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return [
        VERSION,
        iv.toString('base64'),
        cipher.getAuthTag().toString('base64'),
        sealed.toString('base64'),
      ].join('.');
    },
    open: async (text) => {
      const [version, iv, tag, sealed] = text.split('.');
      if (version !== VERSION || !iv || !tag || sealed === undefined)
        throw new Error('This is not a sealed credential.');
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64'));
      decipher.setAuthTag(Buffer.from(tag, 'base64'));
      try {
        return decipher.update(sealed, 'base64', 'utf8') + decipher.final('utf8');
      } catch {
        throw new Error(
          'A stored credential cannot be opened: SECRET_KEY differs from the one that sealed it.',
        );
      }
    },
    fingerprint: (text) => createHmac('sha256', fingerprintKey).update(text).digest('base64url'),
  };
}
