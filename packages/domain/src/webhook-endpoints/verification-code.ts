/** Languages of the code on the page, in its order. */
export const codeLanguages = ['javascript', 'python', 'php'] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

export const codeLanguageNames: Record<CodeLanguage, string> = {
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
};

/**
 * A function `verify` for receivers, with nothing but the standard library: it takes the secret, the headers in small letters and the raw body, and gives
 * back the event, or throws. Any of several signatures may fit, and a timestamp is at most five minutes off.
 * https://github.com/standard-webhooks/standard-webhooks
 */
export const verificationCode: Record<CodeLanguage, string> = {
  javascript: `import { createHmac, timingSafeEqual } from 'node:crypto';

// body is the raw text of the request, before any parsing
export function verify(secret, headers, body) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) throw new Error('timestamp');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  const isRight = headers['webhook-signature'].split(' ').some((part) => {
    const [version, signature] = part.split(',');
    const given = Buffer.from(signature ?? '', 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isRight) throw new Error('signature');
  return JSON.parse(body);
}
`,
  python: `import base64, hashlib, hmac, json, time

# body is the raw text of the request, before any parsing
def verify(secret, headers, body):
    id = headers["webhook-id"]
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("timestamp")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(one, expected) for one in given):
        raise ValueError("signature")
    return json.loads(body)
`,
  php: `<?php
// $body is the raw text of the request, before any parsing
function verify(string $secret, array $headers, string $body): array
{
    $id = $headers['webhook-id'];
    $timestamp = $headers['webhook-timestamp'];
    if (abs(time() - (int) $timestamp) > 300) {
        throw new Exception('timestamp');
    }
    $key = base64_decode(str_replace('whsec_', '', $secret));
    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $expected = 'v1,' . base64_encode($digest);
    foreach (explode(' ', $headers['webhook-signature']) as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new Exception('signature');
}
`,
};
