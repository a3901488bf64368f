import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig, readSettings } from '../src/config.ts';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'config-test-'))));
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

describe('an empty environment', () => {
  test('runs everything on this machine alone', () => {
    expect(readConfig({ DATA_DIR: dataDir })).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      isLocalOnly: true,
      allowedHosts: [],
      trustedProxies: 0,
      metricsToken: undefined,
      uploadsDir: join(dataDir, 'uploads'),
      databaseUrl: undefined,
      sandboxUrl: 'http://127.0.0.1:3010',
      ownSandboxPort: 3010,
      smtpUrl: 'smtp://127.0.0.1:3011',
      sampleWorkspace: true,
      roles: { web: true, worker: true },
      logLevel: 'info',
    });
  });

  test('keeps its generated secret key, readable by its owner alone', () => {
    const first = readConfig({ DATA_DIR: dataDir }).secretKey;
    expect(readConfig({ DATA_DIR: dataDir }).secretKey).toBe(first);
    expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe(first);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
  });
});

test('a sandbox that runs elsewhere replaces the own one', () => {
  const settings = readSettings({ SANDBOX_URL: 'http://127.0.0.1:4020/' });
  expect(settings).toMatchObject({
    sandboxUrl: 'http://127.0.0.1:4020',
    ownSandboxPort: undefined,
    smtpUrl: 'smtp://127.0.0.1:4021',
  });
});

test('a sandbox that is off leaves no address and no mail', () => {
  const { sandboxUrl, ownSandboxPort, smtpUrl } = readSettings({ SANDBOX_PORT: 'off' });
  expect([sandboxUrl, ownSandboxPort, smtpUrl]).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['192.168.1.5', false],
  ['127.0.0.1.example.com', false],
])('a host of %s is local only: %s', (host, isLocalOnly) => {
  expect(readSettings({ HOST: host }).isLocalOnly).toBe(isLocalOnly);
});

test.each([
  [{ PUBLIC_URL: 'http://localhost:5173' }, true],
  [{ PUBLIC_URL: 'http://[::1]:3000' }, true],
  [{ PUBLIC_URL: 'https://shop.example' }, false],
  [{ PUBLIC_URL: 'https://localhost.shop.example' }, false],
  [{ ALLOWED_HOSTS: 'localhost,127.0.0.1' }, true],
  [{ ALLOWED_HOSTS: 'localhost,shop.example' }, false],
])('%o on loopback is local only: %s', (env, isLocalOnly) => {
  expect(readSettings(env).isLocalOnly).toBe(isLocalOnly);
});

test('calls reach the private hosts that the operator names, and the sandbox on its port alone', () => {
  const { privateHosts } = readSettings({ PRIVATE_HOSTS: 'crm.internal, 10.0.0.5:8080,,[fd00::1]:81' });
  expect(privateHosts).toEqual([
    ...['crm.internal', '10.0.0.5:8080', '[fd00::1]:81'],
    ...['127.0.0.1:3010', 'localhost:3010', '[::1]:3010'],
  ]);
  expect(readSettings({ SANDBOX_PORT: 'off' }).privateHosts).toEqual([]);
  expect(readSettings({ SANDBOX_URL: 'http://sandbox.test' }).privateHosts).toEqual(['sandbox.test:80']);
});

test('further host names are read without their ports', () => {
  const { allowedHosts } = readSettings({ ALLOWED_HOSTS: 'Panel.example:8080, 192.0.2.44,,[2001:db8::1]' });
  expect(allowedHosts).toEqual(['panel.example', '192.0.2.44', '[2001:db8::1]']);
});

test.each([
  [{ PORT: 'abc' }, 'PORT must be a port number from 0 to 65535, not "abc".'],
  [{ PORT: '70000' }, 'PORT must be a port number'],
  [
    { PUBLIC_URL: 'messages.example.com' },
    'PUBLIC_URL must be an address that begins with http:// or https://.',
  ],
  [{ PUBLIC_URL: 'https://example.com/app' }, 'PUBLIC_URL must be an origin'],
  [{ SAMPLE_WORKSPACE: 'no' }, 'SAMPLE_WORKSPACE must be on or off, not "no".'],
  [{ ROLES: 'web,cron' }, 'ROLES must be web, worker or web,worker, not "web,cron".'],
  [{ ALLOWED_HOSTS: 'https://shop.example' }, 'ALLOWED_HOSTS must list host names'],
  [{ ALLOWED_HOSTS: '*' }, 'ALLOWED_HOSTS must list host names'],
  [{ PRIVATE_HOSTS: 'http://10.0.0.5' }, 'PRIVATE_HOSTS must list hosts'],
  [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY must be the number of reverse proxies'],
  [{ METRICS_TOKEN: 'short' }, 'METRICS_TOKEN must have at least 16 characters.'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace,'],
  [{ SANDBOX_PORT: 'on' }, 'SANDBOX_PORT must be a port number'],
  [{ SECRET_KEY: 'short' }, 'SECRET_KEY must have at least 32 characters.'],
  [{ DATABASE_URL: 'postgres://localhost/app' }, 'SECRET_KEY must be set together with DATABASE_URL'],
])('%o is refused by name', (env, message) => {
  expect(() => readSettings(env)).toThrow(message);
});

test('every problem is told at once', () => {
  expect(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT.*\n.*LOG_LEVEL/);
});

test('a refusal never repeats a secret', () => {
  const env = {
    DATABASE_URL: 'mysql://root:hunter2@db/app',
    SECRET_KEY: 'hunter2',
    SMTP_URL: 'hunter2',
    METRICS_TOKEN: 'hunter2',
  };
  expect(() => readSettings(env)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('hunter2') }),
  );
});

describe("the company's own provider", () => {
  const named = {
    OIDC_ISSUER: 'https://login.example.com/realms/acme',
    OIDC_CLIENT_ID: 'messages',
    OIDC_CLIENT_SECRET: 'very secret',
  };
  const problemsOf = (env: Record<string, string>): string => {
    try {
      readSettings(env);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };

  test('is none unless it is named, and then has a name and no rules', () => {
    expect(readSettings({}).companySignIn).toBeUndefined();
    expect(readSettings(named).companySignIn).toEqual({
      name: 'login.example.com',
      issuer: 'https://login.example.com/realms/acme',
      clientId: 'messages',
      clientSecret: 'very secret',
      scopes: 'openid email profile',
      rules: { claim: null, roles: {}, teams: {} },
    });
  });

  test('takes rules as JSON', () => {
    const settings = readSettings({
      ...named,
      OIDC_NAME: 'Acme',
      OIDC_CLAIM: 'groups',
      OIDC_ROLES: '{"admin": ["CN=IT,OU=Groups"], "viewer": ["*"]}',
      OIDC_TEAMS: '{"Support": ["support"]}',
    });
    expect(settings.companySignIn).toMatchObject({
      name: 'Acme',
      rules: {
        claim: 'groups',
        roles: { admin: ['CN=IT,OU=Groups'], viewer: ['*'] },
        teams: { Support: ['support'] },
      },
    });
  });

  test.each([
    [{ OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET must be set together with'],
    [{ OIDC_ISSUER: '' }, 'OIDC_ISSUER must be set together with'],
    [{ OIDC_ISSUER: 'login.example.com' }, 'OIDC_ISSUER must be the address'],
    [{ OIDC_ISSUER: 'http://login.example.com' }, 'OIDC_ISSUER must be the address'],
    [{ OIDC_ISSUER: 'https://login.example.com/?a=b' }, 'OIDC_ISSUER must be the address'],
    [{ OIDC_ISSUER: 'https://me:word@login.example.com' }, 'OIDC_ISSUER must be the address'],
    [{ OIDC_SCOPES: 'email' }, 'OIDC_SCOPES must hold openid'],
    [{ OIDC_CLAIM: 'groups' }, 'OIDC_CLAIM must be set together with'],
    [{ OIDC_ROLES: '{"admin": ["it"]}' }, 'OIDC_CLAIM must name the claim'],
    [{ OIDC_CLAIM: 'groups', OIDC_ROLES: 'admin=it' }, 'OIDC_ROLES must be JSON'],
    [{ OIDC_CLAIM: 'groups', OIDC_ROLES: '{"admin": "it"}' }, 'OIDC_ROLES must be JSON'],
    [{ OIDC_CLAIM: 'groups', OIDC_ROLES: '{"boss": ["it"]}' }, 'OIDC_ROLES must name roles'],
    [{ OIDC_CLAIM: 'groups', OIDC_TEAMS: '[]' }, 'OIDC_TEAMS must be JSON'],
  ])('is refused at the start with %j, and its secret is not said', (change, sentence) => {
    const said = problemsOf({ ...named, ...(change as Record<string, string>) });
    expect(said).toContain(sentence);
    expect(said).not.toContain('very secret');
    expect(said).not.toContain('word@');
  });
});

test('backups by themselves need a place, a pace and a number that mean something', () => {
  expect(readSettings({}).backups).toBeUndefined();
  expect(readSettings({ BACKUP_TO: '/srv/backups', BACKUP_KEEP: '3' }).backups).toMatchObject({
    ...{ folder: '/srv/backups', bucketUrl: undefined, everyHours: 24, keep: 3 },
  });
  const bucketUrl = 's3://key:secret@objects.example/backups';
  expect(readSettings({ BACKUP_TO: bucketUrl }).backups).toMatchObject({ bucketUrl });
  for (const wrong of [
    { BACKUP_TO: 'https://objects.example' },
    { BACKUP_TO: '/srv', BACKUP_EVERY_HOURS: '0' },
    { BACKUP_TO: '/srv', BACKUP_KEEP: 'all' },
  ])
    expect(() => readSettings(wrong)).toThrow(/BACKUP_(TO|EVERY_HOURS|KEEP) must/);
});
