import { Copy, Eye, Languages, Pencil, Send, Trash2, CopyPlus, EllipsisVertical } from 'lucide-react';
import { formatRelativeTime } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { templateToPhone } from '../sending/message/template-preview.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { Card } from '../../ui/page-frame.tsx';
import { ChatBubble } from '../../ui/phone/phone-preview.tsx';
import { TemplateStatusBadges } from './template-status.tsx';
import type { Template } from './templates-queries.ts';
import { categoryLabel, languageLabel } from './template-words.ts';

export type TemplateAct = 'preview' | 'copy' | 'edit' | 'delete' | 'duplicate' | 'translate' | 'submit';

export function TemplateCard({
  template,
  canSubmit,
  onAct,
}: {
  template: Template;
  /** The platform decides on the status, and this template is not with it yet. */
  canSubmit: boolean;
  onAct: (act: TemplateAct, template: Template) => void;
}) {
  const { name, category, language, rejectionReason, status } = template;
  const act = (which: TemplateAct) => () => onAct(which, template);
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
      menu={<CardMenu template={template} canSubmit={canSubmit} onAct={onAct} />}
      footer={
        <>
          <span className="min-w-0 truncate">{describeAge(template)}</span>
          <span className="-my-1 -mr-2 flex">
            <IconButton label={t('templates.preview', { name })} size="small" onClick={act('preview')}>
              <Eye aria-hidden />
            </IconButton>
            <IconButton label={t('templates.copy', { name })} size="small" onClick={act('copy')}>
              <Copy aria-hidden />
            </IconButton>
            {can('templates:update') ? (
              <IconButton label={t('templates.edit', { name })} size="small" onClick={act('edit')}>
                <Pencil aria-hidden />
              </IconButton>
            ) : null}
            {can('templates:delete') ? (
              <IconButton
                label={t('templates.delete', { name })}
                variant="danger-ghost"
                size="small"
                onClick={act('delete')}
              >
                <Trash2 aria-hidden />
              </IconButton>
            ) : null}
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

function CardMenu({
  template,
  canSubmit,
  onAct,
}: {
  template: Template;
  canSubmit: boolean;
  onAct: (act: TemplateAct, template: Template) => void;
}) {
  const entries: MenuEntry[] = [];
  if (can('templates:update') && canSubmit)
    entries.push({ label: t('templates.submit'), icon: <Send />, onSelect: () => onAct('submit', template) });
  if (can('templates:create'))
    entries.push(
      { label: t('templates.duplicate'), icon: <CopyPlus />, onSelect: () => onAct('duplicate', template) },
      { label: t('templates.translate'), icon: <Languages />, onSelect: () => onAct('translate', template) },
    );
  if (entries.length === 0) return null;
  return (
    <Menu
      trigger={
        <IconButton label={t('templates.more', { name: template.name })} size="small">
          <EllipsisVertical aria-hidden />
        </IconButton>
      }
      entries={entries}
    />
  );
}

function describeAge({ createdAt, updatedAt }: Template): string {
  return updatedAt === null
    ? t('templates.createdWhen', { when: formatRelativeTime(createdAt) })
    : t('templates.edited', { when: formatRelativeTime(updatedAt) });
}
