import { spawnSync } from 'node:child_process';
import { codeLanguages, verificationCode } from '@app/domain/webhook-endpoints/verification-code';
import { describe, expect, test } from 'vitest';
import { makeWebhookSecret, webhookHeaders } from '../../src/webhook-endpoints/sign-webhook.ts';

type Judge = new (secret: string) => { verify(body: string, headers: Record<string, string>): unknown };
/** The library of the convention; it stands in a variable, so that types are checked without it too. */
const LIBRARY: string = 'standardwebhooks';
const { Webhook } = (await import(LIBRARY)) as { Webhook: Judge };

const id = '0193a6f0-0000-7000-8000-000000000001';
const body = '{"type":"contact.created","timestamp":"2026-11-27T10:00:00.000Z","data":{"name":"Zoë 👋"}}';
const [secret, older, other] = [makeWebhookSecret(), makeWebhookSecret(), makeWebhookSecret()];
const now = () => new Date();

type Delivery = { secret: string; headers: Record<string, string>; body: string };
const headersOf = (secrets: string[], at = now()) => webhookHeaders(secrets, { id, at, body });
/** What a receiver may meet, and whether it is to trust it. */
const deliveries: [name: string, isTrusted: boolean, delivery: () => Delivery][] = [
  ['one that is right', true, () => ({ secret, headers: headersOf([secret]), body })],
  ['the new secret during a rotation', true, () => ({ secret, headers: headersOf([secret, older]), body })],
  [
    'the old secret during a rotation',
    true,
    () => ({ secret: older, headers: headersOf([secret, older]), body }),
  ],
  ['another secret', false, () => ({ secret: other, headers: headersOf([secret]), body })],
  ['another body', false, () => ({ secret, headers: headersOf([secret]), body: body.replace('Zoë', 'Zoe') })],
  [
    ...(['another id', false] as const),
    () => ({ secret, headers: { ...headersOf([secret]), 'webhook-id': `${id.slice(0, -1)}2` }, body }),
  ],
  [
    ...(['one of an hour ago', false] as const),
    () => ({ secret, headers: headersOf([secret], new Date(Date.now() - 3_600_000)), body }),
  ],
  [
    ...(['a signature of another version', false] as const),
    () => {
      const headers = headersOf([secret]);
      return {
        secret,
        headers: { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') },
        body,
      };
    },
  ],
];

test('a secret is of the form of the convention, and no other is the same', () => {
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect(new Set([secret, older, other]).size).toBe(3);
});

describe('the library of the convention', () => {
  test.each(deliveries)('judges %s: trusted is %s', (_, isTrusted, open) => {
    const given = open();
    const verify = () => new Webhook(given.secret).verify(given.body, given.headers);
    if (isTrusted) expect(verify()).toEqual(JSON.parse(body));
    else expect(verify).toThrow(/signature|timestamp/i);
  });
});

describe('the code of the page', () => {
  test.each(deliveries)('in JavaScript judges %s: trusted is %s', async (_, isTrusted, open) => {
    const source = `data:text/javascript,${encodeURIComponent(verificationCode.javascript)}`;
    const { verify } = (await import(/* @vite-ignore */ source)) as {
      verify(secret: string, headers: object, body: string): unknown;
    };
    const { secret: own, headers, body: text } = open();
    if (isTrusted) expect(verify(own, headers, text)).toEqual(JSON.parse(body));
    else expect(() => verify(own, headers, text)).toThrow(/signature|timestamp/);
  });

  // Where the machine has the language, the code runs; everywhere it is looked at below.
  const runs = { python: runPython, php: runPhp };
  test.each(['python', 'php'] as const)('in %s judges every delivery as the library does', (language) => {
    const cases = deliveries.map(([, isTrusted, open]) => ({ isTrusted, ...open() }));
    const judged = runs[language](cases);
    if (judged) expect(judged).toEqual(cases.map(({ isTrusted }) => isTrusted));
    expect(verificationCode[language]).toContain('def verify'.slice(language === 'php' ? 4 : 0));
  });

  test.each(codeLanguages)(
    'in %s looks at id, time, signature and version, and compares in constant time',
    (language) => {
      const code = verificationCode[language];
      for (const part of ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'whsec_', '300', 'v1'])
        expect([part, code.includes(part)]).toEqual([part, true]);
      expect(code).toMatch(/timingSafeEqual|compare_digest|hash_equals/);
    },
  );
});

type Case = Delivery & { isTrusted: boolean };

function runPython(cases: Case[]): boolean[] | null {
  const program = `${verificationCode.python}
import sys
def trusts(case):
    try:
        verify(case["secret"], case["headers"], case["body"])
        return True
    except ValueError:
        return False
print(json.dumps([trusts(case) for case in json.loads(sys.stdin.buffer.read().decode())]))
`;
  return run('python3', ['-c', program], cases);
}

function runPhp(cases: Case[]): boolean[] | null {
  const program = `${verificationCode.php.replace('<?php', '')}
echo json_encode(array_map(function ($case) {
    try {
        verify($case['secret'], $case['headers'], $case['body']);
        return true;
    } catch (Exception $error) {
        return false;
    }
}, json_decode(stream_get_contents(STDIN), true)));
`;
  return run('php', ['-r', program], cases);
}

/** Null where the machine does not have the language. */
function run(command: string, args: string[], cases: Case[]): boolean[] | null {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    input: JSON.stringify(cases),
    encoding: 'utf8',
  });
  if (error) return null;
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as boolean[];
}
