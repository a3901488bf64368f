import { Download, Eye, LogIn, LogOut, Pencil, Plus, Send, Trash2, Upload } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ActivityType } from '@app/domain/activity/activity-rules';
import { t } from '../messages.ts';
import { Badge } from '../../ui/badge.tsx';
import type { BadgeTone } from '../../ui/badge.tsx';

const marks: Record<ActivityType, [BadgeTone, ReactNode]> = {
  login: ['success', <LogIn key="i" />],
  logout: ['neutral', <LogOut key="i" />],
  create: ['primary', <Plus key="i" />],
  update: ['info', <Pencil key="i" />],
  delete: ['danger', <Trash2 key="i" />],
  view: ['neutral', <Eye key="i" />],
  send: ['primary', <Send key="i" />],
  upload: ['info', <Upload key="i" />],
  download: ['info', <Download key="i" />],
};

export function ActivityTypeMark({ type }: { type: ActivityType }) {
  const [tone, icon] = marks[type];
  return (
    <Badge tone={tone} icon={<span aria-hidden>{icon}</span>}>
      {t(`activity.type.${type}`)}
    </Badge>
  );
}
