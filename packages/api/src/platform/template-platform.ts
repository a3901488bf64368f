import type { PlatformFile, SubmittedTemplate } from '@app/domain/channels/open-channel';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import type { ChannelTemplate, ChannelTemplateDraft } from '@app/domain/messaging/channel-template';

/** Templates as the messaging platform of one channel keeps them. No call throws for what the platform says. */
export type TemplatePlatform = {
  /**
   * Creates the template there or, with an id, replaces its content; the platform then reviews it. One that exists
   * already under the name and language is taken over.
   */
  submit(
    channelId: string,
    draft: ChannelTemplateDraft,
    platformTemplateId: string | null,
  ): Promise<PlatformAnswer<SubmittedTemplate>>;
  /** One that is not there any more counts as removed. */
  remove(channelId: string, name: string, platformTemplateId: string): Promise<PlatformAnswer<null>>;
  list(channelId: string): Promise<PlatformAnswer<ChannelTemplate[]>>;
  /** The handle of a sample that reviewers look at. */
  uploadSample(channelId: string, file: PlatformFile): Promise<PlatformAnswer<string>>;
  /** The id under which messages may show the file, for 30 days. */
  uploadMedia(channelId: string, file: PlatformFile): Promise<PlatformAnswer<string>>;
};
