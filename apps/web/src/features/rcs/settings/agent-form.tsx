import { useQueryClient } from '@tanstack/react-query';
import { CircleCheck, FileKey } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, readFailure } from '../../../shared/api.ts';
import { errorMessageOf } from '../../../shared/error-message.ts';
import { codeText } from '../../../shared/languages/refusal-text.ts';
import { findText, t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { FileButton } from '../../../ui/controls/file-button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input, NativeSelect, Textarea } from '../../../ui/input.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { ConnectionButtons } from '../../connection/connection-buttons.tsx';
import {
  problemText,
  refreshConnections,
  type Connection,
  type ConnectionKind,
  type FieldCheck,
  type Server,
} from '../../connection/connection-queries.ts';

interface AgentFormProps {
  kind: ConnectionKind;
  /** Undefined while no agent is connected. */
  connection: Connection | undefined;
}

/** What opens the agent. The key file is sealed and never shown again. */
export function AgentForm({ kind, connection }: AgentFormProps) {
  const [first, setFirst] = useState(() => valuesOf(kind, connection));
  const [values, setValues] = useState(first);
  const [proofs, setProofs] = useState<readonly FieldCheck[]>([]);
  const [refused, setRefused] = useState<Readonly<Record<string, string | undefined>>>({});
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const mayChange = can('settings:manage');
  const { server, ...written } = values;
  const isChanged = JSON.stringify(values) !== JSON.stringify(first);
  const isSaved = connection?.isConnected === true && connection.stopped === null && !isChanged;
  useUnsavedWarning(isChanged, ['tab']);
  const choices = (name: string) => kind.fields.find((field) => field.name === name)?.choices ?? [];
  const set = (part: Partial<typeof values>) => {
    setValues({ ...values, ...part });
    setProofs([]);
    setRefused({});
  };

  const test = useAction({
    mutationFn: async (_press: { at: number }) =>
      (
        await api.connections.prove({
          ...{ kind: kind.name, server, values: written },
          ...(connection && { channelId: connection.id }),
        })
      ).fields,
    onSuccess: (found) => {
      setProofs(found);
      if (found.every(({ state }) => state === 'right')) notify.success(t('rcs.testRight'));
      else notify.error(t('connection.testFailed'));
    },
    onError: (error) => notify.error(saveError(error)),
  });
  const save = useAction({
    mutationFn: () =>
      connection
        ? api.connections.update({
            ...{ channelId: connection.id, version: connection.version, server, values: written },
          })
        : api.connections.create({ kind: kind.name, server, values: written }),
    onSuccess: async (saved) => {
      const next = valuesOf(kind, saved);
      setFirst(next);
      setValues(next);
      notify.success(t('rcs.agentSaved'));
      await refreshConnections(queryClient);
    },
    onError: (error) => {
      const { code, issues } = readFailure(error);
      setRefused(Object.fromEntries(issues.map(({ field, message }) => [field, refusedText(code, message)])));
      notify.error(saveError(error));
    },
  });
  const disconnect = useAction({
    mutationFn: (channelId: string) => api.connections.disconnect({ channelId }),
    onSuccess: async () => {
      notify.success(t('rcs.disconnected'));
      await refreshConnections(queryClient);
    },
    onError: (error) => notify.error(saveError(error)),
  });

  async function askToDisconnect(channelId: string) {
    const isSure = await confirm({
      ...{ title: t('rcs.disconnectTitle'), text: t('connection.disconnectText') },
      ...{ confirmLabel: t('connection.disconnect'), danger: true },
    });
    if (isSure) disconnect.mutate(channelId);
  }

  const proofOf = (name: string) => proofs.find(({ field }) => field === name);
  const wrongIn = (name: string) => {
    const proof = proofOf(name);
    return refused[name] ?? (proof && proof.state !== 'right' ? textOf(proof) : undefined);
  };
  const mark = (name: string) =>
    proofOf(name)?.state === 'right' ? (
      <span className="flex items-center gap-1 text-success">
        <CircleCheck aria-hidden className="size-4" /> {t('connection.right')}
      </span>
    ) : undefined;
  const hasKey = connection?.secrets['serviceAccount'] !== undefined;
  return (
    <Panel
      title={t('rcs.agent')}
      purpose={
        connection?.isConnected ? t('rcs.agentOn', { name: connection.displayName }) : t('rcs.agentPurpose')
      }
    >
      <form
        className="flex flex-col gap-4"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        {mayChange ? null : <Banner>{t('connection.readOnly')}</Banner>}
        {connection?.stopped ? (
          <Banner tone="warning">{codeText(connection.stopped.code ?? '') ?? t('rcs.agentStopped')}</Banner>
        ) : null}
        <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
          {kind.servers.length > 1 ? (
            <Field label={t('connection.server')} hint={t('connection.serverHint')}>
              <NativeSelect
                value={server}
                onChange={({ target }) =>
                  set({ server: target.value === 'sandbox' ? 'sandbox' : 'platform' })
                }
              >
                {kind.servers.map((one) => (
                  <option key={one} value={one}>
                    {t(one === 'sandbox' ? 'connection.server.sandbox' : 'rcs.server.platform')}
                  </option>
                ))}
              </NativeSelect>
            </Field>
          ) : null}
          <Field
            label={t('rcs.serviceAccount')}
            required={!hasKey}
            hint={hasKey ? t('rcs.serviceAccountStored') : t('rcs.serviceAccountHint')}
            error={wrongIn('serviceAccount')}
            aside={mark('serviceAccount')}
          >
            <Textarea
              rows={4}
              spellCheck={false}
              autoComplete="off"
              className="font-mono text-xs"
              value={written.serviceAccount}
              onChange={({ target }) => set({ serviceAccount: target.value })}
            />
          </Field>
          <FileButton
            size="small"
            className="self-start"
            accept="application/json,.json"
            label={t('rcs.chooseKey')}
            icon={<FileKey aria-hidden />}
            onFile={(file) => void file.text().then((text) => set({ serviceAccount: text }))}
          >
            {t('rcs.chooseKey')}
          </FileButton>
          <Field
            label={t('rcs.agentId')}
            required
            hint={connection ? t('rcs.agentIdFixed') : undefined}
            error={wrongIn('agentId')}
            aside={mark('agentId')}
          >
            <Input
              readOnly={connection !== undefined}
              spellCheck={false}
              value={written.agentId}
              onChange={({ target }) => set({ agentId: target.value })}
            />
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            {(['region', 'useCase'] as const).map((name) => (
              <Field key={name} label={t(`rcs.${name}`)} hint={t(`rcs.${name}Hint`)}>
                <NativeSelect value={written[name]} onChange={({ target }) => set({ [name]: target.value })}>
                  {choices(name).map((one) => (
                    <option key={one} value={one}>
                      {findText(`rcs.${name}.${one}`) ?? one}
                    </option>
                  ))}
                </NativeSelect>
              </Field>
            ))}
          </div>
          {connection ? null : (
            <Field label={t('rcs.clientToken')} hint={t('rcs.clientTokenHint')}>
              <Input
                spellCheck={false}
                maxLength={500}
                className="font-mono"
                value={written.clientToken}
                onChange={({ target }) => set({ clientToken: target.value })}
              />
            </Field>
          )}
        </fieldset>
        {mayChange ? (
          <ConnectionButtons
            saveLabel={t('rcs.saveAgent')}
            isSaved={isSaved}
            isSaving={save.isPending}
            isTesting={test.isPending}
            isDisconnecting={disconnect.isPending}
            onTest={() => test.mutate({ at: Date.now() })}
            onDisconnect={connection?.isConnected ? () => void askToDisconnect(connection.id) : undefined}
          />
        ) : null}
      </form>
    </Panel>
  );
}

type AgentValues = {
  server: Server;
  serviceAccount: string;
  agentId: string;
  region: string;
  useCase: string;
  clientToken: string;
};

/** The key is never there: what is not written stays as it is. */
function valuesOf(kind: ConnectionKind, connection: Connection | undefined): AgentValues {
  const stored = (name: string) =>
    connection?.values[name] ?? kind.fields.find((field) => field.name === name)?.choices[0] ?? '';
  return {
    server: kind.servers.find((one) => one === connection?.server) ?? kind.servers[0] ?? 'platform',
    ...{ serviceAccount: '', clientToken: '', agentId: stored('agentId') },
    ...{ region: stored('region'), useCase: stored('useCase') },
  };
}

function textOf({ problem, detail }: FieldCheck): string | undefined {
  return findText(`rcs.proof.${problem ?? ''}`, { detail: detail ?? '' }) ?? problemText({ problem, detail });
}

function refusedText(code: string, message: string): string {
  if (code === 'connection_incomplete') return t('connection.missing');
  return textOf({ field: '', state: 'wrong', problem: message as FieldCheck['problem'], detail: null }) ?? '';
}

const saveError = errorMessageOf({
  connection_incomplete: 'rcs.error.incomplete',
  connection_refused: 'connection.saveFailed',
  channel_exists: 'rcs.error.exists',
  channel_changed: 'connection.conflict',
  channel_number_fixed: 'rcs.agentIdFixed',
});
