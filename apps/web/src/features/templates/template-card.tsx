import { EllipsisVertical } from 'lucide-react';
import { useState } from 'react';
import { formatRelativeTime } from '../../shared/formats.ts';
import { t, useLocale } from '../../shared/messages.ts';
import { LanguageChoice } from '../sending/message/language-choice.tsx';
import { shownOf, type TemplateGroup } from '../sending/message/template-groups.ts';
import { templateToPhone } from '../sending/message/template-preview.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Card } from '../../ui/page-frame.tsx';
import { ChatBubble } from '../../ui/phone/phone-preview.tsx';
import { StatusMark, TemplateStatusBadges } from './template-status.tsx';
import type { Template } from './templates-queries.ts';
import { categoryLabel, languageLabel, rejectionText } from './template-words.ts';
import type { TemplateActions } from './use-template-actions.tsx';

/** One template in its languages; text, status and acts are those of the language that is shown. */
export function TemplateCard({
  group,
  actionsOn,
}: {
  group: TemplateGroup<Template>;
  actionsOn: (template: Template, isOneOfSeveral: boolean) => TemplateActions;
}) {
  const [chosenId, setChosenId] = useState<string | null>(null);
  const template = shownOf(group, { chosenId, language: useLocale() });
  const acts = actionsOn(template, group.length > 1);
  const { name, category, language, rejection, status } = template;
  return (
    <Card
      title={
        <span dir="auto" title={name} className="line-clamp-2">
          {name}
        </span>
      }
      badges={
        <>
          <TemplateStatusBadges template={template} />
          <Badge>{categoryLabel(category)}</Badge>
          {group.length === 1 ? <Badge>{languageLabel(language)}</Badge> : null}
        </>
      }
      menu={
        acts.menu.length === 0 ? null : (
          <Menu
            trigger={
              <IconButton label={t('templates.more', { name })} size="small">
                <EllipsisVertical aria-hidden />
              </IconButton>
            }
            entries={acts.menu}
          />
        )
      }
      footer={
        <>
          <span className="min-w-0 truncate">{describeAge(template)}</span>
          <span className="-my-1 -mr-2 flex">
            {acts.buttons.map(({ label, icon, danger, onSelect }) => (
              <IconButton
                key={label}
                label={label}
                variant={danger ? 'danger-ghost' : 'ghost'}
                size="small"
                onClick={onSelect}
              >
                {icon}
              </IconButton>
            ))}
          </span>
        </>
      }
    >
      <div className="flex h-full flex-col">
        {group.length === 1 ? null : (
          <div className="mb-3">
            <LanguageChoice
              group={group}
              shown={template}
              onChoose={setChosenId}
              mark={(one) => <StatusMark template={one} />}
            />
          </div>
        )}
        <div className="flex-1 rounded-md bg-chat p-3">
          <div className="h-42 overflow-hidden mask-b-from-75%">
            <ChatBubble message={templateToPhone(template.components)} />
          </div>
        </div>
        {rejection !== null && status !== 'draft' ? (
          <p className="mt-3 text-sm whitespace-pre-line wrap-anywhere text-danger">
            {rejectionText(rejection)}
          </p>
        ) : null}
      </div>
    </Card>
  );
}

function describeAge({ createdAt, updatedAt }: Template): string {
  return updatedAt === null
    ? t('templates.createdWhen', { when: formatRelativeTime(createdAt) })
    : t('templates.edited', { when: formatRelativeTime(updatedAt) });
}
