import { LONGEST_KEY_NAME } from '@app/domain/api-keys/api-key-rules';
import type { Permission } from '@app/domain/auth/permissions';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { newKey } from '../../shared/actions/request-memory.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useSession } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { refreshKeys } from './api-keys-queries.ts';
import { keyErrorMessage } from './key-words.ts';
import { ScopeChoice } from './scope-choice.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const ends = ['30', '90', '365', 'never'] as const;
type End = (typeof ends)[number];

/** Makes a key; then its secret stands here, this once. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  // One for each form, so that a second press makes no second key.
  const [keyId, setKeyId] = useState(newKey);
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Permission[]>([]);
  const [end, setEnd] = useState<End>('90');
  const [addresses, setAddresses] = useState('');
  const queryClient = useQueryClient();
  const { user } = useSession();
  const create = useAction({
    mutationFn: () =>
      api.apiKeys.create({
        ...{ keyId, name: name.trim(), scopes: [...scopes] },
        expiresAt: end === 'never' ? null : new Date(Date.now() + Number(end) * 86_400_000).toISOString(),
        allowedAddresses: addresses.split(/[\s,]+/).filter(Boolean),
      }),
    onSuccess: () => refreshKeys(queryClient),
    // The form may be sent again, as another key: nobody has seen the secret of the first.
    onError: (error) => {
      if (readFailure(error).code === 'api_key_known') setKeyId(newKey());
    },
  });
  const made = create.data;
  const closeSaved = useUnsavedWarning(!made && (name !== '' || scopes.length > 0), 'keyDialog');
  if (made) return <SecretDialog secret={made.secret} onClose={() => closeSaved(onClose)} />;
  const failure = create.error ? readFailure(create.error) : undefined;
  const isAtAddresses = failure?.field?.startsWith('allowedAddresses') === true;
  return (
    <FormDialog
      title={t('apiKeys.createTitle')}
      description={t('apiKeys.createText')}
      submitLabel={t('apiKeys.create')}
      isReady={name.trim() !== '' && scopes.length > 0}
      whyNot={t('apiKeys.createNeeds')}
      isSaving={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      {failure && !isAtAddresses ? <Banner tone="danger">{keyErrorMessage(create.error)}</Banner> : null}
      <Field label={t('apiKeys.name')} hint={t('apiKeys.nameHint')} required>
        <Input
          value={name}
          maxLength={LONGEST_KEY_NAME}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <FieldGroup legend={t('apiKeys.scopes')}>
        {/* The session says the permissions of the domain's table. */}
        <ScopeChoice
          held={(user?.permissions ?? []) as readonly Permission[]}
          chosen={scopes}
          onChange={setScopes}
        />
      </FieldGroup>
      <Field label={t('apiKeys.end')}>
        <Select
          value={end}
          onChange={setEnd}
          options={ends.map((value) => ({
            value,
            label: value === 'never' ? t('apiKeys.endNever') : t('apiKeys.endDays', { n: Number(value) }),
          }))}
        />
      </Field>
      <Field
        label={t('apiKeys.addresses')}
        hint={t('apiKeys.addressesHint')}
        error={isAtAddresses ? t('apiKeys.error.addresses') : undefined}
      >
        <Textarea
          value={addresses}
          rows={2}
          spellCheck={false}
          placeholder="203.0.113.7&#10;2001:db8::/32"
          onChange={(event) => {
            setAddresses(event.target.value);
            create.reset();
          }}
        />
      </Field>
    </FormDialog>
  );
}
