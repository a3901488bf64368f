import { useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Combobox } from '../../../ui/controls/combobox.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/field.tsx';
import { useApprovedTemplates, useTemplate } from '../../sending/message/template-queries.ts';

type Props = { value: string | null; onChange: (id: string) => void };

/** Only approved templates can be sent; one that was chosen and is none any more is still named. */
export function TemplateSelect({ value, onChange }: Props) {
  const [search, setSearch] = useState('');
  const { templates, isFetching } = useApprovedTemplates(search);
  const { template } = useTemplate(value);
  return (
    <Combobox
      value={value === null ? null : { value, label: template?.name ?? t('automation.goneReference') }}
      onChange={(option) => onChange(option?.value ?? '')}
      onSearch={setSearch}
      loading={isFetching}
      placeholder={t('automation.chooseTemplate')}
      emptyText={t('automation.noTemplates')}
      options={templates.map(({ id, name, language }) => ({
        value: id,
        label: name,
        hint: languageName(language),
      }))}
    />
  );
}

/** The placeholders of the chosen template, in their order. */
export function useTemplateVariables(templateId: string): readonly string[] {
  return useTemplate(templateId === '' ? null : templateId).template?.variables ?? [];
}

/** The number that a message leaves by; without a choice the one that the contact wrote to, or the first of the workspace. */
export function ChannelSelect({ value, onChange }: Props) {
  const { data } = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  return (
    <Select
      value={value ?? ''}
      onChange={onChange}
      options={[
        { value: '', label: t('automation.defaultChannel') },
        ...(data?.items ?? []).map(({ id, kind, displayName }) => ({
          value: id,
          label: displayName ?? kind,
        })),
      ]}
    />
  );
}

export function WorkflowSelect({ value, onChange }: Props) {
  const [search, setSearch] = useState('');
  const { data, isFetching } = useQuery(
    orpc.workflows.list.queryOptions({ input: { limit: 50, ...(search === '' ? {} : { search }) } }),
  );
  const chosen = useQuery(
    orpc.workflows.get.queryOptions({ input: { workflowId: value ?? '' }, enabled: value !== null }),
  );
  return (
    <Combobox
      value={value === null ? null : { value, label: chosen.data?.name ?? t('automation.goneReference') }}
      onChange={(option) => onChange(option?.value ?? '')}
      onSearch={setSearch}
      loading={isFetching}
      placeholder={t('automation.chooseWorkflow')}
      emptyText={t('automation.noneMatching')}
      options={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** Flows of the bot, by priority. */
export function BotFlowSelect({ value, onChange }: Props) {
  const { data } = useQuery(orpc.chatbot.listFlows.queryOptions({ input: {} }));
  return (
    <Select
      value={value}
      onChange={onChange}
      placeholder={t('automation.chooseBotFlow')}
      options={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** Campaigns that can still get recipients; for an outcome any of them. */
export function CampaignSelect({ value, onChange, isForOutcome }: Props & { isForOutcome: boolean }) {
  const [search, setSearch] = useState('');
  const found = useQueries({
    queries: (isForOutcome ? ([undefined] as const) : (['draft', 'scheduled'] as const)).map((status) =>
      orpc.campaigns.list.queryOptions({
        input: { limit: 50, ...(status && { status }), ...(search === '' ? {} : { search }) },
      }),
    ),
  });
  const chosen = useQuery(
    orpc.campaigns.get.queryOptions({ input: { campaignId: value ?? '' }, enabled: value !== null }),
  );
  return (
    <Combobox
      value={value === null ? null : { value, label: chosen.data?.name ?? t('automation.goneReference') }}
      onChange={(option) => onChange(option?.value ?? '')}
      onSearch={setSearch}
      loading={found.some(({ isFetching }) => isFetching)}
      placeholder={t('automation.chooseCampaign')}
      emptyText={t(isForOutcome ? 'automation.noCampaign' : 'automation.noCampaigns')}
      options={found.flatMap(({ data }) =>
        (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
      )}
    />
  );
}

type WiredProps = Props & { label: string; error: string | undefined; required: boolean | undefined };

/** Fields of contacts; for a trigger on a date only those that hold one, and the one that was chosen. Without any it says where to add one. */
export function CustomFieldSelect({
  value,
  onChange,
  isForDate,
  ...wiring
}: WiredProps & { isForDate: boolean }) {
  const all = useCustomFields();
  const fields = (all ?? []).filter(({ id, type }) => !isForDate || type === 'date' || id === value);
  const isEmpty = all !== undefined && fields.length === 0;
  const missing = t(isForDate ? 'automation.noDateFields' : 'automation.noFields');
  return (
    <Field {...wiring} hint={isEmpty ? t('automation.addField') : undefined}>
      <Select
        value={isEmpty ? null : value}
        onChange={onChange}
        disabled={isEmpty}
        placeholder={isEmpty ? missing : t('automation.chooseField')}
        options={fields.map(({ id, label }) => ({ value: id, label }))}
      />
    </Field>
  );
}

/** Who may get a conversation or a mail: a member, or a team. Without any team it says where to add one. */
export function AssigneeSelect({ kind, value, onChange, ...wiring }: WiredProps & { kind: 'user' | 'team' }) {
  const { data } = useQuery(
    orpc.conversations.listAssignees.queryOptions({ input: {}, enabled: can('messages:update') }),
  );
  const options = (kind === 'team' ? data?.teams : data?.people) ?? [];
  const chosen = options.find(({ id }) => id === value);
  const isTeamMissing = kind === 'team' && data !== undefined && options.length === 0;
  const choose = t(kind === 'team' ? 'automation.chooseTeam' : 'automation.chooseMember');
  return (
    <Field {...wiring} hint={isTeamMissing ? t('automation.addTeam') : undefined}>
      <Combobox
        value={value === null ? null : { value, label: chosen?.name ?? t('automation.goneReference') }}
        onChange={(option) => onChange(option?.value ?? '')}
        placeholder={isTeamMissing ? t('automation.noTeamsYet') : choose}
        emptyText={t(kind === 'team' ? 'automation.noTeams' : 'automation.noMembers')}
        options={options.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Field>
  );
}
