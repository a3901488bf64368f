import { roles, type Role } from '../auth/permissions.ts';

/** Which values of a claim give which role and which teams; the operator writes them. */
export type CompanyRules = {
  /** Name of the claim, or a path with dots, as in `realm_access.roles`; null where nothing is mapped. */
  claim: string | null;
  roles: Partial<Record<Role, readonly string[]>>;
  /** By the name of the team. */
  teams: Record<string, readonly string[]>;
};

export const noCompanyRules: CompanyRules = { claim: null, roles: {}, teams: {} };

/** In place of a value: everybody whom the provider knows. */
const EVERYBODY = '*';

/** The highest of the roles that the values give; null for none. */
export function findCompanyRole(rules: CompanyRules, values: readonly string[]): Role | null {
  return roles.find((role) => isMeant(rules.roles[role] ?? [], values)) ?? null;
}

/** The names of the teams that the values give. */
export function findCompanyTeams(rules: CompanyRules, values: readonly string[]): string[] {
  return Object.keys(rules.teams).filter((team) => isMeant(rules.teams[team] ?? [], values));
}

function isMeant(wanted: readonly string[], values: readonly string[]): boolean {
  return wanted.some((value) => value === EVERYBODY || values.includes(value));
}

/**
 * The role that somebody has from this sign-in on. The rules decide wherever they give one; a role that they once gave ends when they give it
 * no more, and one that people gave here stays.
 */
export function decideCompanyRole(role: {
  current: Role;
  /** What the rules give now. */
  mapped: Role | null;
  /** What they gave at the last sign-in. */
  mappedBefore: Role | null;
}): Role {
  if (role.mapped) return role.mapped;
  return role.mappedBefore === null ? role.current : 'viewer';
}

/** The texts that a claim holds: one, a list of them, or none. Its whole name comes before a path. */
export function readClaim(claims: Record<string, unknown>, name: string): string[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : follow(claims, name.split('.'));
  const found = Array.isArray(value) ? value : [value];
  return found.filter((one) => typeof one === 'string').slice(0, MOST_VALUES);
}

/** Far more groups than a token can name. */
const MOST_VALUES = 1000;

function follow(claims: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? Reflect.get(value, step)
        : undefined,
    claims,
  );
}
