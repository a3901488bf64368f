import { shownLine, shownMessage, type LineKind } from '@app/domain/conversations/shown-message';
import type { TemplateComponent } from '@app/domain/templates/template';
import {
  CircleHelp,
  Clapperboard,
  ContactRound,
  FileText,
  Image,
  LayoutTemplate,
  ListChecks,
  MapPin,
  Mic,
  Music,
  Phone,
  PhoneMissed,
  ShoppingCart,
  SmilePlus,
  Sticker,
  Video,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { sayLine } from './line-words.ts';

type Said = { type: string; text: string | null; content?: unknown; components?: readonly object[] | null };

const icons: Partial<Record<LineKind, ReactNode>> = {
  image: <Image />,
  video: <Video />,
  animation: <Clapperboard />,
  audio: <Music />,
  voice: <Mic />,
  document: <FileText />,
  sticker: <Sticker />,
  location: <MapPin />,
  contacts: <ContactRound />,
  form: <ListChecks />,
  order: <ShoppingCart />,
  reaction: <SmilePlus />,
  template: <LayoutTemplate />,
  call_permission: <Phone />,
  call: <Phone />,
  missed_call: <PhoneMissed />,
  unsupported: <CircleHelp />,
};

/** The one line that search, quotes and panels show of a message, in words; the page loads the catalogue `conversations`. */
export function lineText({ type, text, content = null, components = null }: Said): string {
  const line = shownLine(
    shownMessage({ type, text, content, components: components as TemplateComponent[] | null }),
  );
  return line.text || sayLine(line);
}

/** The same with a small picture of its kind. */
export function MessageLine(said: Said) {
  const { kind } = shownLine(shownMessage({ ...said, content: said.content ?? null, components: null }));
  const icon = icons[kind];
  return (
    <span className="inline-flex min-w-0 items-center gap-1 [&_svg]:size-3.5 [&_svg]:shrink-0">
      {icon ? <span aria-hidden>{icon}</span> : null}
      <span dir="auto" className="truncate">
        {lineText(said)}
      </span>
    </span>
  );
}
