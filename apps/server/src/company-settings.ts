import type { OpenIdSettings } from '@app/providers/openid-connect/openid-provider';
import { roles } from '@app/domain/auth/permissions';
import { noCompanyRules, type CompanyRules } from '@app/domain/company-sign-in/company-rules';
import { isLoopback } from '@app/domain/network/loopback';

type Read = (name: string) => string | undefined;
type Report = (name: string, problem: string) => void;

const NAMES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const DEFAULT_SCOPES = 'openid email profile';
const LONGEST_NAME = 60;

/**
 * The company's own provider as the environment names it; undefined without one. What is wrong stops the start, and is said by the name of its variable: the value
 * stays out. Whether the provider answers is another matter, and found when it is needed.
 */
export function readCompanySettings(read: Read, report: Report): OpenIdSettings | undefined {
  const [issuer, clientId, clientSecret] = NAMES.map(read);
  if (!issuer && !clientId && !clientSecret) return undefined;
  for (const name of NAMES) if (!read(name)) report(name, `must be set together with ${others(name)}.`);
  const url = issuer ? URL.parse(issuer) : null;
  if (issuer && !isIssuer(url))
    report(
      'OIDC_ISSUER',
      'must be the address of the provider, such as https://login.example.com, with https and without a query.',
    );
  const name = read('OIDC_NAME') ?? url?.hostname ?? '';
  if (name.length > LONGEST_NAME) report('OIDC_NAME', `must have at most ${LONGEST_NAME} characters.`);
  const scopes = read('OIDC_SCOPES') ?? DEFAULT_SCOPES;
  if (!scopes.split(/\s+/).includes('openid')) report('OIDC_SCOPES', 'must hold openid.');
  return {
    ...{ name, issuer: issuer ?? '', clientId: clientId ?? '', clientSecret: clientSecret ?? '' },
    scopes: scopes.split(/\s+/).join(' '),
    rules: readRules(read, report),
  };
}

function others(name: string): string {
  return NAMES.filter((other) => other !== name).join(' and ');
}

/** http is for this machine alone. */
function isIssuer(url: URL | null): boolean {
  if (!url || url.search || url.hash || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

function readRules(read: Read, report: Report): CompanyRules {
  const claim = read('OIDC_CLAIM');
  const given = { roles: readMap('OIDC_ROLES', read, report), teams: readMap('OIDC_TEAMS', read, report) };
  const isEmpty = given.roles === undefined && given.teams === undefined;
  if (isEmpty && claim) report('OIDC_CLAIM', 'must be set together with OIDC_ROLES or OIDC_TEAMS.');
  if (isEmpty) return noCompanyRules;
  if (!claim)
    report('OIDC_CLAIM', 'must name the claim that OIDC_ROLES and OIDC_TEAMS look at, such as groups.');
  const unknown = Object.keys(given.roles ?? {}).find((name) => !roles.some((role) => role === name));
  if (unknown !== undefined) report('OIDC_ROLES', `must name roles out of ${roles.join(', ')}.`);
  return { claim: claim ?? null, roles: given.roles ?? {}, teams: given.teams ?? {} };
}

/** Values hold commas and equal signs in some directories; so it is JSON. */
function readMap(name: string, read: Read, report: Report): Record<string, string[]> | undefined {
  const text = read(name);
  if (text === undefined) return undefined;
  const map = parse(text);
  if (map) return map;
  report(name, 'must be JSON such as {"agent": ["support", "sales"]}: a list of values for each name.');
  return {};
}

function parse(text: string): Record<string, string[]> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const isGood = Object.values(value).every(
    (list: unknown) => Array.isArray(list) && list.every((one) => typeof one === 'string' && one !== ''),
  );
  return isGood ? { ...value } : null;
}
