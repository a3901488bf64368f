import type { LogoFit } from '@app/domain/settings/logo';
import { sendPicture } from '../media/send-picture.ts';

/** Answers with the id under which settings name it. */
export async function sendLogo(file: File, fit: LogoFit): Promise<string> {
  const { logo } = await sendPicture<{ logo: string }>(`/api/settings/logo?fit=${fit}`, file);
  return logo;
}
