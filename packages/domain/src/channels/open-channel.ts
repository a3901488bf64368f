import type { ChannelTemplate, ChannelTemplateDraft } from '../messaging/channel-template.ts';
import type { MessageChannel } from '../messaging/channel-port.ts';
import type { BusinessProfile } from '../settings/general-settings.ts';
import type { PlatformAnswer } from './platform-answer.ts';

/** One channel with its connections. Sending is all that every kind can do; the other parts are there where the kind has them. */
export type OpenChannel = MessageChannel & {
  templates?: ChannelTemplates;
  media?: ChannelMedia;
  account?: ChannelAccount;
  profile?: ChannelProfile;
  /** Shows the person that their message was read, with `typing` that an answer is being written. */
  markRead?(message: ReadMessage, options?: { typing?: boolean }): Promise<PlatformAnswer<null>>;
  /** Which of these numbers can get messages of the channel now, for the size of an audience. Missing where the platform cannot be asked. */
  findReachable?(phones: readonly string[]): Promise<PlatformAnswer<ReadonlySet<string>>>;
  /** Withdraws a message that was not delivered. */
  revoke?(to: string, messageId: string): Promise<PlatformAnswer<{ isRevoked: boolean }>>;
  close(): Promise<void>;
};

/** A message that came in. `phone` of its sender is null where they hide it. */
export type ReadMessage = { id: string; phone: string | null };

/** Templates as the platform keeps them. No call throws for what the platform says. */
export type ChannelTemplates = {
  /**
   * Creates the template there or, with an id, replaces its content; the platform then reviews it. One that exists
   * already under the name and language is taken over.
   */
  submit(
    draft: ChannelTemplateDraft,
    platformTemplateId: string | null,
  ): Promise<PlatformAnswer<SubmittedTemplate>>;
  /** One that is not there any more counts as removed. */
  remove(name: string, platformTemplateId: string): Promise<PlatformAnswer<null>>;
  list(): Promise<PlatformAnswer<ChannelTemplate[]>>;
  /** The handle of a sample that reviewers look at. */
  uploadSample(file: PlatformFile): Promise<PlatformAnswer<string>>;
};

export type SubmittedTemplate = { id: string; status: string; category: string };

export type ChannelMedia = {
  /** The id under which messages may show the file, for 30 days. */
  upload(file: PlatformFile): Promise<PlatformAnswer<string>>;
  /** A file that somebody sent us; reading it fails once `maxBytes` are exceeded. */
  download(mediaId: string, maxBytes: number): Promise<DownloadAnswer>;
};

export type DownloadAnswer =
  | PlatformAnswer<PlatformDownload>
  /** The platform has it no more, or never had it for this channel. */
  | { outcome: 'gone' }
  /** The platform lets the channel do nothing until a person has acted: a token that has ended, an account that is locked. */
  | { outcome: 'stopped' };

/** A file that can be read again from any byte, so that an upload that broke off goes on where it stopped. */
export type PlatformFile = {
  name: string;
  mimeType: string;
  /** Bytes in all. */
  size: number;
  open(fromByte: number): AsyncIterable<Uint8Array>;
};

/** `sha256` in hexadecimal, as far as the platform says. Whoever does not read the content gives it up by `cancel`. */
export type PlatformDownload = {
  mimeType: string;
  size: number | null;
  sha256: string | null;
  content: AsyncIterable<Uint8Array>;
  cancel(): Promise<void>;
};

/** What people see of the business behind the channel. */
export type ChannelProfile = {
  read(): Promise<PlatformAnswer<ShownProfile>>;
  /** The picture at the address that `read` told; reading it fails once `maxBytes` are exceeded. */
  readPicture(address: string, maxBytes: number): Promise<DownloadAnswer>;
  /**
   * Replaces all of it, the picture only where there is one, and the category only where it is `isNewCategory` and means another there.
   * What cannot be empty there stays when ours is, and is told.
   */
  write(
    profile: BusinessProfile,
    changed: { picture: PlatformFile | null; isNewCategory: boolean },
  ): Promise<PlatformAnswer<{ keptAbout: boolean }>>;
};

export type ShownProfile = Omit<BusinessProfile, 'logo'> & { pictureAddress: string | null };

export type ChannelAccount = {
  /** Asks the platform with the stored credentials who we are. */
  check(): Promise<PlatformAnswer<AccountReport>>;
};

export type AccountReport = {
  accountName: string;
  /** How people know the number or agent. */
  displayName: string;
  /** As far as the platform says. */
  messagesPerSecond: number | null;
};
