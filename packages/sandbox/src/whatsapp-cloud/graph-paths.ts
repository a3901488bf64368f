import type { Behaviour } from './behaviour.ts';
import { GraphError } from './errors.ts';

const VERSION = /^\/graph\/(v\d+\.\d+)(?=\/|$)/;

/** The path that routes know: without the version, which callers may leave out, and without a slash at its end. */
export function routedPath(request: Request): string {
  const start = request.url.indexOf('/', request.url.indexOf('//') + 2);
  const path = start < 0 ? '/' : (/^[^?#]*/.exec(request.url.slice(start))?.[0] ?? '/');
  if (!path.startsWith('/graph')) return path;
  return path.replace(VERSION, '/graph').replace(/(?<=.)\/+$/, '');
}

/** As written in the address; undefined when the caller leaves it to the platform. */
export function versionIn(path: string): string | undefined {
  return VERSION.exec(path)?.[1];
}

export function isLiveVersion(version: string | undefined, behaviour: Behaviour): boolean {
  if (version === undefined) return true;
  const number = Number(version.slice(1));
  return number >= behaviour.oldestVersion && number <= behaviour.newestVersion && Number.isInteger(number);
}

export function defaultVersion(behaviour: Behaviour): string {
  return `v${behaviour.newestVersion}.0`;
}

/** Throws for versions that are gone and for those that never were. */
export function refuseVersion(version: string, behaviour: Behaviour, path: string): void {
  if (isLiveVersion(version, behaviour)) return;
  if (Number(version.slice(1)) >= behaviour.oldestVersion) {
    throw new GraphError(2500, { message: `Unknown path components: ${path.replace(/^\/graph/, '')}` });
  }
  throw new GraphError(2635, {
    message: `(#2635) You are calling a deprecated version of the API. Please update to the latest version: ${defaultVersion(behaviour)}.`,
  });
}
