import type { GivenContent } from '../channel-kinds/content-type.ts';

/** What staff, campaigns and bots can send. Lengths and counts are the channel's to check. */
export type MessageContent =
  | TextContent
  | TemplateContent
  | MediaContent
  | LocationContent
  | ContactsContent
  | ReactionContent
  | InteractiveContent
  | KindContent;

export type TextContent = Quotable & { type: 'text'; body: string; previewUrl?: boolean };

export type TemplateContent = {
  type: 'template';
  name: string;
  /** Platform code such as `en` or `en_GB`. */
  language: string;
  header?: TemplateHeaderParameter;
  body?: TemplateParameters;
  buttons?: readonly TemplateButtonParameter[];
};

/** Values for the placeholders of one text, in the form in which the template declares them. */
export type TemplateParameters =
  | { format: 'positional'; values: readonly string[] }
  | { format: 'named'; values: Readonly<Record<string, string>> };

export type TemplateHeaderParameter =
  | { type: 'text'; text: string; name?: string }
  | { type: 'image' | 'video' | 'document'; media: MediaSource; filename?: string }
  | { type: 'location'; location: Place };

/** `index` is the zero-based place of the button in the template. */
export type TemplateButtonParameter =
  | { type: 'quick_reply'; index: number; payload: string }
  | { type: 'url'; index: number; suffix: string }
  | { type: 'copy_code'; index: number; code: string }
  | { type: 'flow'; index: number; flowToken?: string; data?: Readonly<Record<string, unknown>> }
  | { type: 'catalog'; index: number; thumbnailProductId: string };

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

/** A file that the channel already holds, or a public https address that it fetches. */
export type MediaSource = { id: string } | { link: string };

/** A file of ours that the channel gets before its message leaves. */
export type HeldFile = { fileId: string };

/** A file of the library of the workspace, which the channel fetches from its public address when the message leaves. */
export type LibraryMedia = { libraryId: string };

export type MediaContent = Quotable & {
  type: 'media';
  kind: MediaKind;
  media: MediaSource | HeldFile | LibraryMedia;
  caption?: string;
  filename?: string;
  /** Audio only: shown as a voice note. */
  voice?: boolean;
};

export type Place = { latitude: number; longitude: number; name?: string; address?: string };

export type LocationContent = Quotable & { type: 'location'; location: Place };

export type ContactsContent = Quotable & { type: 'contacts'; contacts: readonly ContactCard[] };

export type ContactCard = {
  formattedName: string;
  firstName?: string;
  lastName?: string;
  phones?: readonly { phone: string; kind?: string }[];
  emails?: readonly { email: string; kind?: string }[];
  urls?: readonly { url: string; kind?: string }[];
  company?: string;
  department?: string;
  jobTitle?: string;
  /** `YYYY-MM-DD`. */
  birthday?: string;
};

/** An empty emoji takes the reaction back. */
export type ReactionContent = { type: 'reaction'; messageId: string; emoji: string };

export type InteractiveContent = Quotable & {
  type: 'interactive';
  header?: InteractiveHeader;
  body: string;
  footer?: string;
  action: InteractiveAction;
};

export type InteractiveHeader =
  | { type: 'text'; text: string }
  | { type: 'image' | 'video' | 'document'; media: MediaSource; filename?: string };

export type InteractiveAction =
  | { type: 'reply_buttons'; buttons: readonly { id: string; title: string }[] }
  | { type: 'list'; button: string; sections: readonly ListSection[] }
  | { type: 'link_button'; label: string; url: string }
  | { type: 'location_request' }
  | { type: 'product'; catalogId: string; productId: string }
  | { type: 'product_list'; catalogId: string; sections: readonly ProductSection[] }
  | { type: 'catalog'; thumbnailProductId?: string }
  | {
      type: 'flow';
      flowId: string;
      label: string;
      flowToken?: string;
      screen?: string;
      data?: Readonly<Record<string, unknown>>;
    };

/** A form of message that one kind of channel has (`ContentType`), with a value that was read by it. */
export type KindContent = Quotable & { type: 'kind_content' } & GivenContent;

export type ListSection = {
  title?: string;
  rows: readonly { id: string; title: string; description?: string }[];
};

export type ProductSection = { title: string; productIds: readonly string[] };

/** Quotes an earlier message of the same conversation, by the channel's message id. */
type Quotable = { replyTo?: string };
