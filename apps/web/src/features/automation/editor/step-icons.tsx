import {
  Clock,
  GitBranch,
  ImageIcon,
  ListChecks,
  ListTree,
  Mail,
  Megaphone,
  MessageCircleQuestionMark,
  MessageSquareText,
  Share2,
  Sparkles,
  Tag,
  Users,
  Webhook,
} from 'lucide-react';
import type { StepType } from '@app/domain/flows/step-type';
import { findStepType } from '@app/domain/flows/step-types';
import type { ReactNode } from 'react';

const ofType: Record<string, ReactNode> = {
  ask: <MessageCircleQuestionMark />,
  offer_choices: <ListTree />,
  ai_answer: <Sparkles />,
  send_media: <ImageIcon />,
  add_tag: <Tag />,
  remove_tag: <Tag />,
  add_to_campaign: <Megaphone />,
  email_notification: <Mail />,
  webhook_call: <Webhook />,
};

const ofGroup: Partial<Record<StepType['group'], ReactNode>> = {
  message: <MessageSquareText />,
  contact: <ListChecks />,
  team: <Users />,
  wait: <Clock />,
  logic: <GitBranch />,
};

export function stepIcon(type: string): ReactNode {
  const group = findStepType(type)?.group;
  return ofType[type] ?? (group && ofGroup[group]) ?? <Share2 />;
}
