import { titleOfKind } from '@app/domain/channel-kinds/kind-list';
import { useState } from 'react';
import { languageName } from '../../shared/contacts/contact-languages.ts';
import { t, useLocale } from '../../shared/messages.ts';
import type { MessageDraft } from '../sending/message/message-draft.ts';
import { InContactLanguage } from '../sending/message/in-contact-language.tsx';
import { LanguageChoice } from '../sending/message/language-choice.tsx';
import { groupTemplates, inLanguageOrder, shownOf } from '../sending/message/template-groups.ts';
import { useApprovedTemplates, useLanguagesOf, useTemplate } from '../sending/message/template-queries.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { Field } from '../../ui/field.tsx';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { useContents, type StoredContent } from './campaign-contents.tsx';

const CUSTOM = 'custom';

/** An approved template, a stored content of a channel kind, or a message of one's own. With `channelKind`, only stored contents of that kind. */
export function TemplateField({
  message,
  isCustom,
  content,
  channelKind,
  isContentGone,
  onContent,
  onTemplate,
  onCustom,
  onInContactLanguage,
}: {
  message: MessageDraft;
  isCustom: boolean;
  /** A stored content that is chosen in place of a template. */
  content: StoredContent | undefined;
  channelKind?: string | undefined;
  isContentGone: boolean;
  onContent: (content: StoredContent) => void;
  onTemplate: (templateId: string | null) => void;
  onCustom: () => void;
  onInContactLanguage: (isOn: boolean) => void;
}) {
  const [search, setSearch] = useState('');
  const { templates, isFetching, searched } = useApprovedTemplates(useDebounced(search.trim()));
  const { template, isGone } = useTemplate(message.templateId);
  const language = useLocale();
  const languages = useLanguagesOf(template);
  const contents = useContents(useDebounced(search.trim()));
  const custom: SelectOption = { value: CUSTOM, label: t('campaigns.form.custom') };
  const optionOf = ({ id, name, kind, line }: StoredContent): SelectOption => ({
    value: id,
    // Among templates it says what it is.
    label:
      channelKind === undefined
        ? `${name} (${t('campaigns.form.contentHint', { channel: titleOfKind(kind) })})`
        : name,
    hint: line,
  });
  const ofKind = contents.filter(({ kind }) => kind === channelKind).map(optionOf);
  const ofAll = [
    ...groupTemplates(templates).map((group): SelectOption => {
      const { id, name, content } = shownOf(group, { chosenId: message.templateId, language });
      return { value: id, label: named(name, group), hint: content };
    }),
    ...contents.map(optionOf),
    custom,
  ];
  const options = channelKind === undefined ? ofAll : ofKind;
  const shownKind = channelKind ?? content?.kind;
  // The others stand below.
  const shown = template && { value: template.id, label: named(template.name, [template]) };
  const chosen = isCustom
    ? custom
    : content
      ? optionOf(content)
      : (shown ?? options.find((option) => option.value === message.templateId) ?? null);
  const field = (
    <Field
      label={
        shownKind === undefined
          ? t('campaigns.form.template')
          : t('campaigns.form.content', { channel: titleOfKind(shownKind) })
      }
      error={
        isContentGone
          ? t('sending.failure.contentGone')
          : content && !content.isActive
            ? t('sending.obstacle.contentNotActive')
            : isGone
              ? t('sending.failure.templateGone')
              : template?.whyNotSendable
                ? t(`sending.obstacle.template.${template.whyNotSendable}`)
                : undefined
      }
    >
      <Combobox
        value={chosen}
        options={options}
        onSearch={setSearch}
        loading={isFetching}
        searchedHere={searched}
        placeholder={t(
          channelKind === undefined
            ? 'campaigns.form.templatePlaceholder'
            : 'campaigns.form.contentPlaceholder',
        )}
        emptyText={t(channelKind === undefined ? 'campaigns.form.noTemplates' : 'campaigns.form.noContents')}
        onChange={(option) => {
          if (option?.value === CUSTOM) return onCustom();
          const chosenContent = contents.find(({ id }) => option?.value === id);
          return chosenContent ? onContent(chosenContent) : onTemplate(option?.value ?? null);
        }}
      />
    </Field>
  );
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {field}
      {template && languages && !isCustom && !content ? (
        <LanguageChoice group={languages} shown={template} onChoose={onTemplate} />
      ) : null}
      {isCustom || content ? null : (
        <InContactLanguage
          template={template}
          isOn={message.inContactLanguage}
          onChange={onInContactLanguage}
        />
      )}
    </div>
  );
}

/** With its languages, which tell it from others of its name. */
function named(name: string, group: readonly { language: string }[]): string {
  return `${name} (${inLanguageOrder(group)
    .map(({ language }) => languageName(language))
    .join(', ')})`;
}
