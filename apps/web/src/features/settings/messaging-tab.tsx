import { currencyOf } from '@app/domain/settings/budget';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  CheckCheck,
  Clock,
  Gauge,
  MessageSquareReply,
  Moon,
  ShieldAlert,
  UserRoundX,
  Wallet,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { FormState } from '../../shared/actions/form-state.tsx';
import { api } from '../../shared/api.ts';
import { t, type MessageKey } from '../../shared/messages.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { readText, useUrlState } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { QuietHoursFields } from '../sending/quiet-hours-fields.tsx';
import { BudgetFields } from './budget-fields.tsx';
import { ConsentFields, tidyConsentWords } from './consent-fields.tsx';
import { GuardFields } from './guard-fields.tsx';
import { AutoReplyFields, HoursFields, LimitFields, SeenFields } from './messaging-fields.tsx';
import {
  isSectionChanged,
  messagingSections,
  sectionProblem,
  summarizeSection,
  type MessagingSection,
} from './messaging-sections.ts';
import { SettingsForm } from './settings-form.tsx';
import {
  generalOptions,
  messagingOptions,
  usageOptions,
  type MessagingSettings,
} from './settings-queries.ts';
import { SettingsSection, SettingsSections } from './settings-section.tsx';

type Change = (patch: Partial<MessagingSettings>) => void;
type Section = {
  icon: ReactNode;
  title: MessageKey;
  purpose?: MessageKey;
  fields: (values: MessagingSettings, change: Change) => ReactNode;
};

const sections: Record<MessagingSection, Section> = {
  'auto-reply': {
    icon: <MessageSquareReply />,
    title: 'settings.messaging.autoReply',
    purpose: 'settings.messaging.autoReplyPurpose',
    fields: (values, change) => <AutoReplyFields values={values} change={change} />,
  },
  'business-hours': {
    icon: <Clock />,
    title: 'settings.messaging.hours',
    fields: (values, change) => <HoursFields values={values} change={change} />,
  },
  'read-receipts': {
    icon: <CheckCheck />,
    title: 'settings.messaging.seen',
    fields: (values, change) => <SeenFields values={values} change={change} />,
  },
  'consent-words': {
    icon: <UserRoundX />,
    title: 'settings.consent.title',
    purpose: 'settings.consent.purpose',
    fields: ({ consentWords, consentAnswers }, change) => (
      <ConsentFields words={consentWords} answers={consentAnswers} onChange={change} />
    ),
  },
  'quiet-hours': {
    icon: <Moon />,
    title: 'settings.messaging.quiet',
    purpose: 'settings.messaging.quietHint',
    fields: ({ quietHours }, change) => (
      <QuietHoursFields quietHours={quietHours} onChange={(next) => change({ quietHours: next })} />
    ),
  },
  'message-limits': {
    icon: <Gauge />,
    title: 'settings.messaging.limits',
    purpose: 'settings.messaging.limitsHint',
    fields: (values, change) => <LimitFields values={values} change={change} />,
  },
  budget: {
    icon: <Wallet />,
    title: 'settings.budget.title',
    purpose: 'settings.budget.purpose',
    fields: ({ budget }, change) => (
      <BudgetFields budget={budget} onChange={(next) => change({ budget: next })} />
    ),
  },
  'campaign-guard': {
    icon: <ShieldAlert />,
    title: 'settings.guard.title',
    fields: ({ campaignGuard }, change) => (
      <GuardFields guard={campaignGuard} onChange={(next) => change({ campaignGuard: next })} />
    ),
  },
};

const groups: readonly { title: MessageKey; names: readonly MessagingSection[] }[] = [
  {
    title: 'settings.section.answering',
    names: ['auto-reply', 'business-hours', 'read-receipts', 'consent-words'],
  },
  {
    title: 'settings.section.sending',
    names: ['quiet-hours', 'message-limits', 'budget', 'campaign-guard'],
  },
];

/** How the workspace sends and answers, by themes: each says in a line what is set, and opens to be changed. */
export function MessagingTab() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(messagingOptions());
  const { data: general } = useQuery(generalOptions());
  const { open, sought, toggle, seek, toggleAll } = useOpenSections();
  if (!data) return <FormState error={error} onRetry={() => void refetch()} />;
  const wrongOf = (values: MessagingSettings) =>
    messagingSections.find((name) => sectionProblem(name, values));
  return (
    <SettingsForm<MessagingSettings>
      saved={data}
      onSave={async (values) => {
        const kept = await api.settings.updateMessaging({
          ...values,
          consentWords: tidyConsentWords(values.consentWords),
        });
        queryClient.setQueryData(messagingOptions().queryKey, kept);
        void queryClient.invalidateQueries({ queryKey: usageOptions().queryKey });
        await readSessionAnew(); // the quiet hours stand in it
        return kept;
      }}
      onReadAnew={() => queryClient.fetchQuery({ ...messagingOptions(), staleTime: 0 })}
      findProblem={(values) => {
        const wrong = wrongOf(values);
        return wrong ? sectionProblem(wrong, values) : null;
      }}
      onShowProblem={(values) => {
        const wrong = wrongOf(values);
        if (wrong) seek(wrong);
      }}
    >
      {(values, change, saved) => (
        <>
          {groups.map(({ title, names }, at) => (
            <SettingsSections
              key={title}
              title={t(title)}
              action={
                at === 0 ? (
                  <Button variant="ghost" size="small" onClick={toggleAll}>
                    {t(open.length > 0 ? 'settings.section.closeAll' : 'settings.section.openAll')}
                  </Button>
                ) : undefined
              }
            >
              {names.map((name) => {
                const { icon, title: heading, purpose, fields } = sections[name];
                return (
                  <SettingsSection
                    key={name}
                    name={name}
                    icon={icon}
                    title={t(heading)}
                    purpose={purpose && t(purpose)}
                    summary={summarizeSection(name, values, currencyOf(general ?? {}))}
                    isChanged={isSectionChanged(name, values, saved)}
                    isWrong={sectionProblem(name, values) !== null}
                    isOpen={open.includes(name)}
                    sought={sought.name === name ? sought.times : 0}
                    onToggle={(isOpen) => toggle(name, isOpen)}
                  >
                    {fields(values, change)}
                  </SettingsSection>
                );
              })}
            </SettingsSections>
          ))}
        </>
      )}
    </SettingsForm>
  );
}

/** Which sections are open: the address carries them, so that each can be linked to. */
function useOpenSections() {
  const [{ section }, setUrl] = useUrlState((search) => ({ section: readText(search, 'section') }));
  // What was pressed shows at once; the address follows, and leads where it is another one.
  const [wanted, setWanted] = useState(section);
  const [followed, setFollowed] = useState(section);
  const [sought, setSought] = useState({ name: section, times: 1 });
  if (section !== followed) {
    setFollowed(section);
    setWanted(section);
  }
  const open = messagingSections.filter((name) => wanted.split(',').includes(name));
  const set = (names: readonly MessagingSection[]) => {
    setWanted(names.join(','));
    setUrl({ section: names.join(',') });
  };
  return {
    open,
    sought,
    toggle: (name: MessagingSection, isOpen: boolean) => {
      set(messagingSections.filter((one) => (one === name ? isOpen : open.includes(one))));
    },
    seek: (name: MessagingSection) => {
      setSought(({ times }) => ({ name, times: times + 1 }));
      set(messagingSections.filter((one) => one === name || open.includes(one)));
    },
    toggleAll: () => set(open.length > 0 ? [] : messagingSections),
  };
}
