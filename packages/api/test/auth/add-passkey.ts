import { PUBLIC_URL, type ApiCaller } from '../api-fixture.ts';
import { createSoftwarePasskey } from './software-passkey.ts';

type Options = Parameters<ReturnType<typeof createSoftwarePasskey>['make']>[0];

/** Has somebody connect a passkey, who has proved a moment ago who they are. */
export async function addPasskey(
  caller: ApiCaller,
  name = 'Phone',
): Promise<ReturnType<typeof createSoftwarePasskey>> {
  const passkey = createSoftwarePasskey(PUBLIC_URL);
  const options = await (await caller.post('/api/passkeys/begin', {})).json<Options>();
  const added = await caller.post('/api/passkeys', { name, response: passkey.make(options) });
  if (!added.ok) throw new Error(await added.text());
  return passkey;
}
