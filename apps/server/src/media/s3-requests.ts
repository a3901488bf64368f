import { createHash, createHmac } from 'node:crypto';

export type Bucket = {
  origin: string;
  host: string;
  path: string;
  region: string;
  accessKey: string;
  secretKey: string;
};
export function pathOf(bucket: Bucket, key: string): string {
  return `${bucket.path}/${key.split('/').map(encodePart).join('/')}`;
}

/** @throws {Error} that names what is missing but never shows the address, which holds the secret. */
export function readBucket(storageUrl: string): Bucket {
  const url = URL.parse(storageUrl.replace(/^s3:/, 'https:'));
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  if (!url || !url.username || !url.password || path === '')
    throw new Error('STORAGE_URL must look like s3://ACCESS_KEY:SECRET_KEY@host/bucket?region=REGION.');
  const protocol = url.searchParams.get('tls') === 'off' ? 'http' : 'https';
  return {
    origin: `${protocol}://${url.host}`,
    host: url.host,
    path,
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKey: decodeURIComponent(url.username),
    secretKey: decodeURIComponent(url.password),
  };
}

/** `query`: as it stands in the address, its names in the order of their bytes. */
type Signed = {
  method: string;
  path: string;
  query?: string;
  bodyHash: string;
  time: Date;
};

/** The headers of a request, signed by AWS Signature Version 4. */
export function signRequest(
  { host, region, accessKey, secretKey }: Bucket,
  { method, path, query = '', bodyHash, time }: Signed,
): Record<string, string> {
  const stamp = time.toISOString().replace(/[:-]|\.\d{3}/g, '');
  const day = stamp.slice(0, 8);
  const signedHeaders = 'host;x-amz-content-sha256;x-amz-date';
  const headerLines = `host:${host}\nx-amz-content-sha256:${bodyHash}\nx-amz-date:${stamp}\n`;
  const canonical = [method, path, query, headerLines, signedHeaders, bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secretKey}`);
  const signature = hmac(key, toSign).toString('hex');
  return {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': stamp,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

export function sha256(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

export function encodePart(part: string): string {
  return encodeURIComponent(part).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
