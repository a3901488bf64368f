const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** In no installation: what is no id finds as little as the id of a workspace that is not there. */
const NONE = '00000000-0000-0000-0000-000000000000';

/**
 * The workspace that a request names: `x-workspace`, or `workspace` in the address of a stream or a file, which a browser asks for
 * without headers of ours. Null where it names none.
 */
export function readNamedWorkspace({ method, url, headers }: Request): string | null {
  const inAddress = method === 'GET' || method === 'HEAD' ? new URL(url).searchParams.get('workspace') : null;
  const name = headers.get('x-workspace') ?? inAddress;
  return name === null || UUID.test(name) ? name : NONE;
}
