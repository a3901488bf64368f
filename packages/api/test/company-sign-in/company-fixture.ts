import { noCompanyRules, type CompanyRules } from '@app/domain/company-sign-in/company-rules';
import { createOpenIdProvider } from '@app/providers/openid-connect/openid-provider';
import { CLIENT_ID, CLIENT_SECRET } from '@app/sandbox/openid/openid-provider';
import { createSandbox } from '@app/sandbox/sandbox';
import type { ApiDependencies } from '../../src/platform/request-context.ts';
import { openApiFixture, PUBLIC_URL, type ApiFixture, type ApiResponse } from '../api-fixture.ts';

type Json = Record<string, unknown>;

export type CompanyFixture = ApiFixture & {
  /** Warnings that the API logged, as one text. */
  warnings(): string;
  /** Tells the pretended provider what to do: who signs in, which lie it tells. */
  provider(behaviour: Json): Promise<void>;
  addPerson(person: Json): Promise<void>;
  /** What the provider was asked. */
  asked(): Promise<{ call: string; outcome: string; prompt?: string | null; maxAge?: string | null }[]>;
  newBrowser(): Browser;
};

/** The API with a real provider behind it: the sandbox's, over HTTP. */
export async function openCompanyFixture({
  rules = noCompanyRules,
  secret = CLIENT_SECRET,
  ...overrides
}: Partial<ApiDependencies> & { rules?: CompanyRules; secret?: string } = {}): Promise<CompanyFixture> {
  const sandbox = createSandbox();
  const { url } = await sandbox.start({ port: 0 });
  const companyProvider = createOpenIdProvider({
    ...{ name: 'Acme', issuer: `${url}/oidc`, clientId: CLIENT_ID, clientSecret: secret },
    ...{ scopes: 'openid email profile', rules },
  });
  const warnings: string[] = [];
  const api = await openApiFixture({
    companyProvider,
    logger: {
      info() {},
      warn: (fields, message) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
      error: (fields, message) => console.error(message, fields),
    },
    ...overrides,
  });
  const control = async (path: string, body?: Json) => {
    const answer = await fetch(`${url}/_sandbox/openid/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json() as Promise<Json>; // the caller knows what the control answers
  };
  return {
    ...api,
    warnings: () => warnings.join('\n'),
    provider: async (behaviour) => void (await control('behaviour', behaviour)),
    addPerson: async (person) => void (await control('people', person)),
    asked: async () => (await control('calls'))['calls'] as Awaited<ReturnType<CompanyFixture['asked']>>,
    newBrowser: () => new Browser(api),
    async close() {
      await api.close();
      await companyProvider.close();
      await sandbox.close();
    },
  };
}

/** Keeps cookies as a browser does, and leaves strict ones at home when another site sends it here. */
export class Browser {
  readonly #api: Pick<ApiFixture, 'app'>;
  readonly cookies = new Map<string, { value: string; isStrict: boolean; line: string }>();

  constructor(api: Pick<ApiFixture, 'app'>) {
    this.#api = api;
  }

  async request(path: string, init: RequestInit = {}, { fromElsewhere = false } = {}): Promise<ApiResponse> {
    const headers = new Headers(init.headers);
    const sent = [...this.cookies].filter(([, { isStrict }]) => !(fromElsewhere && isStrict));
    headers.set('cookie', sent.map(([name, { value }]) => `${name}=${value}`).join('; '));
    headers.set('user-agent', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0 Safari/537.36');
    const answer = (await this.#api.app.request(`${PUBLIC_URL}${path}`, { ...init, headers })) as ApiResponse; // types the body only
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    return answer;
  }

  post(path: string, body: object = {}): Promise<ApiResponse> {
    return this.#send('POST', path, body);
  }

  delete(path: string): Promise<ApiResponse> {
    return this.#send('DELETE', path, {});
  }

  get(path: string): Promise<ApiResponse> {
    return this.request(path);
  }

  /** Presses the button: the address of the provider. */
  async begin(form: object = {}): Promise<string> {
    const answer = await this.post('/api/auth/company/begin', form);
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json<{ address: string }>()).address;
  }

  /** Goes to the provider and comes back with the path of our callback. */
  async visit(address: string): Promise<string> {
    const answer = await fetch(address, { redirect: 'manual' });
    const location = answer.headers.get('location');
    if (answer.status !== 302 || !location)
      throw new Error(`The provider says ${answer.status} ${await answer.text()}`);
    const { pathname, search } = new URL(location);
    return pathname + search;
  }

  /** Follows the provider's redirect: where the page goes then. */
  async comeBack(callback: string): Promise<URL> {
    const answer = await this.request(callback, {}, { fromElsewhere: true });
    const location = answer.headers.get('location');
    if (answer.status !== 303 || !location) throw new Error(`The callback says ${answer.status}`);
    return new URL(location, PUBLIC_URL);
  }

  finish(page: URL): Promise<ApiResponse> {
    return this.post('/api/auth/company/finish', { attempt: page.searchParams.get('company') ?? '' });
  }

  /** The whole way. */
  async signIn(form: object = {}): Promise<ApiResponse> {
    return this.finish(await this.comeBack(await this.visit(await this.begin(form))));
  }

  #send(method: string, path: string, body: object): Promise<ApiResponse> {
    return this.request(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    });
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    if (/Max-Age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, { value, isStrict: /SameSite=Strict/i.test(line), line });
  }
}
