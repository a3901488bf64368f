import type { StoredCredentials } from '@app/database/channels/channels-tables';
import type { CredentialForm, Credentials } from '@app/domain/channels/channel-credentials';
import type { SecretBox } from './request-context.ts';

/** What a row of a channel holds of its credentials: the address, and each secret sealed. */
export async function sealCredentials(
  form: CredentialForm,
  credentials: Credentials,
  secrets: Pick<SecretBox, 'seal'>,
): Promise<{ address: string; credentials: StoredCredentials }> {
  const stored = await sealFields(form, credentials, secrets);
  return { address: form.addressOf(credentials), credentials: stored };
}

/** The part of a form that says what is stored, of a channel or of a connector. */
type StoredForm = Pick<CredentialForm, 'version'> & {
  fields: readonly (Pick<CredentialForm['fields'][number], 'name' | 'isSecret'> & { isHidden?: true })[];
};

/** What a row holds of credentials: each secret sealed, the rest as it is. */
export async function sealFields(
  form: StoredForm,
  credentials: Credentials,
  secrets: Pick<SecretBox, 'seal'>,
): Promise<StoredCredentials> {
  const values: Record<string, string> = {};
  const sealed: Record<string, string> = {};
  for (const { name, isSecret } of form.fields) {
    const value = readField(credentials, name);
    if (isSecret) sealed[name] = await secrets.seal(value);
    else values[name] = value;
  }
  return { version: form.version, values, secrets: sealed };
}

/** Everything that opens a channel or a connector, in plain text. */
export async function openFields(
  form: StoredForm,
  stored: StoredCredentials,
  secrets: Pick<SecretBox, 'open'>,
): Promise<Credentials> {
  const credentials: Record<string, string> = {};
  const known = shownCredentials(form, stored);
  for (const { name, isSecret, isHidden } of form.fields)
    if (isHidden && !Object.hasOwn(isSecret ? stored.secrets : known, name)) credentials[name] = '';
    else
      credentials[name] = isSecret
        ? await secrets.open(readField(stored.secrets, name))
        : readField(known, name);
  return credentials;
}

/** What of them is no secret, and may be looked at without the key. */
export function shownCredentials({ version }: StoredForm, stored: StoredCredentials): Credentials {
  if (stored.version !== version)
    throw new Error(`Credentials of form ${stored.version} cannot be read by form ${version}.`);
  return stored.values;
}

function readField(values: Readonly<Record<string, string>>, name: string): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`The credentials have no ${name}.`);
  return value;
}
