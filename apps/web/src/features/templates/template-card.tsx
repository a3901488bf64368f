import { EllipsisVertical } from 'lucide-react';
import { formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { templateToPhone } from '../sending/message/template-preview.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Card } from '../../ui/page-frame.tsx';
import { ChatBubble } from '../../ui/phone/phone-preview.tsx';
import { TemplateStatusBadges } from './template-status.tsx';
import type { Template } from './templates-queries.ts';
import { categoryLabel, languageLabel } from './template-words.ts';
import type { TemplateActs } from './use-template-acts.tsx';

export function TemplateCard({ template, acts }: { template: Template; acts: TemplateActs }) {
  const { name, category, language, rejectionReason, status } = template;
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
          <Badge>{languageLabel(language)}</Badge>
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
      <div className="rounded-md bg-chat p-3">
        <div className="h-42 overflow-hidden mask-b-from-75%">
          <ChatBubble message={templateToPhone(template.components)} />
        </div>
      </div>
      {rejectionReason !== null && status !== 'draft' ? (
        <p className="mt-3 text-sm wrap-anywhere text-danger">{rejectionReason}</p>
      ) : null}
    </Card>
  );
}

function describeAge({ createdAt, updatedAt }: Template): string {
  return updatedAt === null
    ? t('templates.createdWhen', { when: formatRelativeTime(createdAt) })
    : t('templates.edited', { when: formatRelativeTime(updatedAt) });
}
