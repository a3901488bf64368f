/** A request that can be tried: `path` with its ids as `{contactId}`, below the address of the API. */
export type Sample = {
  method: string;
  path: string;
  query: Record<string, unknown>;
  body: unknown;
  takesKey: boolean;
};

/** What stands in for an id, from the environment of whoever tries it: `CONTACT_ID`. */
export function variableOf(parameter: string): string {
  return parameter.replaceAll(/[A-Z]/g, '_$&').toUpperCase();
}

/** For a shell. The key is in `API_KEY`. */
export function curlOf(server: string, { method, path, query, body, takesKey }: Sample): string {
  const address = fill(path, (name) => `$${variableOf(name)}`) + queryOf(query);
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${server}${address}"`,
    `-H "Authorization: Bearer $API_KEY"`,
    ...(takesKey ? [`-H "Idempotency-Key: ${keyOf(method, path)}"`] : []),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`]),
  ];
  return lines.join(' \\\n  ');
}

/** A whole module for Node.js, or any other place that has `fetch` and keeps a secret. */
export function javascriptOf(server: string, { method, path, query, body, takesKey }: Sample): string {
  const address = fill(path, (name) => `\${process.env.${variableOf(name)}}`) + queryOf(query);
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    '    authorization: `Bearer ${process.env.API_KEY}`,',
    ...(takesKey ? [`    'idempotency-key': '${keyOf(method, path)}',`] : []),
    ...(body === undefined ? [] : [`    'content-type': 'application/json',`]),
    '  },',
    ...(body === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),`]),
  ];
  return [
    `const response = await fetch(\`${server}${address}\`, {`,
    ...options,
    '});',
    'const answer = await response.json();',
    'if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);',
    'console.log(answer);',
  ].join('\n');
}

function fill(path: string, variable: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variable(name));
}

function queryOf(query: Record<string, unknown>): string {
  const entries = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : '';
}

/** One's own words for the act. */
function keyOf(method: string, path: string): string {
  const words = path
    .replaceAll(/\{\w+\}/g, '')
    .split('/')
    .filter(Boolean);
  return `my-first-${[method.toLowerCase(), ...words].join('-')}`;
}
