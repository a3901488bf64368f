import { SHORTEST_PASSPHRASE } from '@app/domain/data-management/workspace-archive';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLoopback } from '@app/domain/network/loopback';
import type { OpenIdSettings } from '@app/providers/openid-connect/openid-provider';
import { readCompanySettings } from './company-settings.ts';

export type Config = {
  host: string;
  port: number;
  /** Origin in links, cookies and webhook addresses; no slash at the end. */
  publicUrl: string;
  /** Only this machine can reach the product, so sample accounts with a known password may exist. */
  isLocalOnly: boolean;
  /** Host names beside those of `publicUrl` and of loopback under which requests are answered. */
  allowedHosts: readonly string[];
  /** Hosts that calls to third parties may reach although they are not public, as `host` or `host:port`: those the operator named, and the sandbox. */
  privateHosts: readonly string[];
  /** How many reverse proxies stand in front, whose word about the caller's address counts. */
  trustedProxies: number;
  /** Whoever reads `/metrics` from another machine must bring it; without one only this machine may. */
  metricsToken: string | undefined;
  dataDir: string;
  uploadsDir: string;
  /** PostgreSQL server of the operator; without one the embedded database runs. */
  databaseUrl: string | undefined;
  /** Encrypts stored credentials and signs sessions. */
  secretKey: string;
  /** Outgoing mail; the sandbox's mail box unless set. Without either no mail is sent. */
  smtpUrl: string | undefined;
  mailFrom: string;
  /** The operator named a mail server: addresses of new accounts are confirmed by mail. */
  hasOwnMailServer: boolean;
  /** The company's own provider, beside the password. */
  companySignIn: OpenIdSettings | undefined;
  /** A `.mmdb` file that tells where addresses of the network are. */
  geoipFile: string | undefined;
  /** `s3://…` bucket for media instead of `uploadsDir`. */
  storageUrl: string | undefined;
  /** Where the product puts backups by itself, and how often; without a place none are taken. */
  backups: BackupSettings | undefined;
  /** Address of the sandbox, whoever runs it; none when it is switched off. */
  sandboxUrl: string | undefined;
  /** Port on which `npm start` runs a sandbox of its own; none when it is off or runs elsewhere. */
  ownSandboxPort: number | undefined;
  sampleWorkspace: boolean;
  roles: { web: boolean; worker: boolean };
  logLevel: (typeof LOG_LEVELS)[number];
};

export type BackupSettings = {
  folder: string;
  /** `s3://…` in place of the folder. */
  bucketUrl: string | undefined;
  everyHours: number;
  keep: number;
  passphrase: string | undefined;
};

export type Environment = Record<string, string | undefined>;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const SHORTEST_SECRET = 32;
const SHORTEST_TOKEN = 16;
const MOST_PROXIES = 10;

/** Thrown with one line per variable that is wrong; never with the value of a secret one. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  constructor(problems: string[]) {
    super(problems.join('\n'));
  }
}

/**
 * Everything the environment says, checked. Creates the secret key in the data directory on first use.
 * @throws {ConfigError}
 */
export function readConfig(env: Environment): Config {
  const settings = readSettings(env);
  return { ...settings, secretKey: settings.secretKey ?? readOrCreateSecretKey(settings.dataDir) };
}

/** The same without touching the disk: the secret key is there only when the environment gives it. */
export function readSettings(
  env: Environment,
): Omit<Config, 'secretKey'> & { secretKey: string | undefined } {
  const problems: string[] = [];
  const values = new Map(Object.entries(env).map(([name, value]) => [name, value?.trim() || undefined]));
  const read = (name: string) => values.get(name);
  const report = (name: string, problem: string) => problems.push(`${name} ${problem}`);

  const host = read('HOST') ?? '127.0.0.1';
  const port = readPort('PORT', read('PORT'), 3000, report);
  const dataDir = resolve(read('DATA_DIR') ?? './data');
  const databaseUrl = readUrl('DATABASE_URL', read('DATABASE_URL'), ['postgres:', 'postgresql:'], report);
  const secretKey = read('SECRET_KEY');
  if (secretKey && secretKey.length < SHORTEST_SECRET)
    report('SECRET_KEY', `must have at least ${SHORTEST_SECRET} characters.`);
  if (databaseUrl && !secretKey)
    report('SECRET_KEY', 'must be set together with DATABASE_URL, and stay the same for that database.');

  const ownSandboxPort =
    read('SANDBOX_PORT') === 'off' || read('SANDBOX_URL')
      ? undefined
      : readPort('SANDBOX_PORT', read('SANDBOX_PORT'), 3010, report);
  const givenSandbox = readUrl('SANDBOX_URL', read('SANDBOX_URL'), ['http:', 'https:'], report);
  const sandboxUrl =
    givenSandbox?.replace(/\/+$/, '') ??
    (ownSandboxPort === undefined ? undefined : `http://127.0.0.1:${ownSandboxPort}`);

  const publicUrl = readPublicUrl(read('PUBLIC_URL'), port, report);
  const allowedHosts = readHosts(read('ALLOWED_HOSTS'), report);
  const metricsToken = read('METRICS_TOKEN');
  if (metricsToken && metricsToken.length < SHORTEST_TOKEN)
    report('METRICS_TOKEN', `must have at least ${SHORTEST_TOKEN} characters.`);

  const settings = {
    host,
    port,
    publicUrl,
    // A public name on a loopback port means a proxy or a tunnel: then strangers are there as well.
    isLocalOnly: [host, new URL(publicUrl).hostname, ...allowedHosts].every(isLoopback),
    allowedHosts,
    privateHosts: [...readPrivateHosts(read('PRIVATE_HOSTS'), report), ...hostsOfSandbox(sandboxUrl)],
    trustedProxies: readProxies(read('TRUST_PROXY'), report),
    metricsToken,
    dataDir,
    uploadsDir: join(dataDir, 'uploads'),
    databaseUrl,
    secretKey,
    smtpUrl:
      readUrl('SMTP_URL', read('SMTP_URL'), ['smtp:', 'smtps:'], report) ?? findSandboxMail(sandboxUrl),
    hasOwnMailServer: read('SMTP_URL') !== undefined,
    companySignIn: readCompanySettings(read, report),
    geoipFile: read('GEOIP_FILE') && resolve(read('GEOIP_FILE') ?? ''),
    mailFrom: read('MAIL_FROM') ?? 'no-reply@localhost',
    storageUrl: readUrl('STORAGE_URL', read('STORAGE_URL'), ['s3:'], report),
    backups: readBackups(read, env, report),
    sandboxUrl,
    ownSandboxPort,
    sampleWorkspace: readSwitch('SAMPLE_WORKSPACE', read('SAMPLE_WORKSPACE'), report),
    roles: readRoles(read('ROLES'), report),
    logLevel: readLogLevel(read('LOG_LEVEL'), report),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return settings;
}

/**
 * What closes a backup file; none when the variable is not there or empty.
 * @throws {ConfigError}
 */
export function readBackupPassphrase(env: Environment): string | undefined {
  const passphrase = env['BACKUP_PASSPHRASE'] || undefined;
  if (passphrase !== undefined && passphrase.length < SHORTEST_PASSPHRASE)
    throw new ConfigError([`BACKUP_PASSPHRASE must have at least ${SHORTEST_PASSPHRASE} characters.`]);
  return passphrase;
}

const MOST_HOURS = 24 * 366;
const MOST_KEPT = 1_000;

function readBackups(
  read: (name: string) => string | undefined,
  env: Environment,
  report: Report,
): BackupSettings | undefined {
  const everyHours = readCount('BACKUP_EVERY_HOURS', read('BACKUP_EVERY_HOURS') ?? '24', MOST_HOURS, report);
  const keep = readCount('BACKUP_KEEP', read('BACKUP_KEEP') ?? '7', MOST_KEPT, report);
  const place = read('BACKUP_TO');
  if (place === undefined) return undefined;
  const isFolder = !/^[a-z][a-z0-9+.-]*:\/\//i.test(place);
  return {
    folder: isFolder ? resolve(place) : '',
    bucketUrl: isFolder ? undefined : readUrl('BACKUP_TO', place, ['s3:'], report),
    ...{ everyHours, keep, passphrase: readBackupPassphrase(env) },
  };
}

function readCount(name: string, value: string, most: number, report: Report): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && count >= 1 && count <= most) return count;
  report(name, `must be a number from 1 to ${most}, not "${value}".`);
  return 1;
}

type Report = (name: string, problem: string) => void;

function readPort(name: string, value: string | undefined, fallback: number, report: Report): number {
  if (value === undefined) return fallback;
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port <= 65535) return port;
  report(name, `must be a port number from 0 to 65535, not "${value}".`);
  return fallback;
}

/** NOTE: the value stays out of the message, because addresses of servers carry passwords. */
function readUrl(
  name: string,
  value: string | undefined,
  protocols: string[],
  report: Report,
): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.parse(value);
  if (url && protocols.includes(url.protocol)) return value;
  report(
    name,
    `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}.`,
  );
  return undefined;
}

function readPublicUrl(value: string | undefined, port: number, report: Report): string {
  const checked = readUrl('PUBLIC_URL', value, ['http:', 'https:'], report);
  if (!checked) return `http://localhost:${port}`;
  const url = new URL(checked);
  if (url.pathname !== '/' || url.search || url.hash)
    report('PUBLIC_URL', 'must be an origin such as https://messages.example.com, without a path.');
  return url.origin;
}

/** Names or addresses without scheme and path; a port is allowed and means nothing. */
function readHosts(value: string | undefined, report: Report): string[] {
  const names = (value ?? '').split(',').map((name) => name.trim());
  return names.filter(Boolean).flatMap((name) => {
    const url = /[/?#@\\*\s]/.test(name) ? null : URL.parse(`http://${name}`);
    if (url) return [url.hostname];
    report(
      'ALLOWED_HOSTS',
      `must list host names such as messages.example.com, with commas between, not "${name}".`,
    );
    return [];
  });
}

/** Host names or addresses, each with or without a port. */
function readPrivateHosts(value: string | undefined, report: Report): string[] {
  const names = (value ?? '').split(',').map((name) => name.trim());
  return names.filter(Boolean).flatMap((name) => {
    const url = /[/?#@\\*\s]/.test(name) ? null : URL.parse(`http://${name}`);
    if (url) return [/:\d+$/.test(name) ? `${url.hostname}:${url.port || 80}` : url.hostname];
    report(
      'PRIVATE_HOSTS',
      `must list hosts such as 10.0.0.5 or crm.internal:8080, with commas between, not "${name}".`,
    );
    return [];
  });
}

/** A sandbox on this machine, under every name of this machine and on its port alone. */
function hostsOfSandbox(sandboxUrl: string | undefined): string[] {
  const url = sandboxUrl === undefined ? null : URL.parse(sandboxUrl);
  if (!url) return [];
  const port = url.port || (url.protocol === 'http:' ? '80' : '443');
  const names = isLoopback(url.hostname) ? ['127.0.0.1', 'localhost', '[::1]'] : [url.hostname];
  return names.map((name) => `${name}:${port}`);
}

function readProxies(value: string | undefined, report: Report): number {
  const count = Number(value ?? 0);
  if (/^\d+$/.test(value ?? '0') && count <= MOST_PROXIES) return count;
  report('TRUST_PROXY', `must be the number of reverse proxies in front, from 0 to ${MOST_PROXIES}.`);
  return 0;
}

function readSwitch(name: string, value: string | undefined, report: Report): boolean {
  if (value !== undefined && value !== 'on' && value !== 'off')
    report(name, `must be on or off, not "${value}".`);
  return value !== 'off';
}

function readRoles(value: string | undefined, report: Report): Config['roles'] {
  const names = (value ?? 'web,worker').split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== 'web' && name !== 'worker');
  if (unknown !== undefined) report('ROLES', `must be web, worker or web,worker, not "${value}".`);
  return { web: names.includes('web'), worker: names.includes('worker') };
}

function readLogLevel(value: string | undefined, report: Report): Config['logLevel'] {
  const level = LOG_LEVELS.find((name) => name === (value ?? 'info'));
  if (!level) report('LOG_LEVEL', `must be one of ${LOG_LEVELS.join(', ')}, not "${value}".`);
  return level ?? 'info';
}

/** The sandbox takes mail on the port after its own. */
function findSandboxMail(sandboxUrl: string | undefined): string | undefined {
  const url = sandboxUrl === undefined ? null : URL.parse(sandboxUrl);
  return url?.port ? `smtp://${url.hostname}:${Number(url.port) + 1}` : undefined;
}

function readOrCreateSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret-key');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = readFileSync(path, 'utf8').trim();
  if (key.length < SHORTEST_SECRET)
    throw new ConfigError([
      `${path} must hold at least ${SHORTEST_SECRET} characters: restore it from a backup.`,
    ]);
  return key;
}
