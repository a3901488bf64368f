import { interfaceLanguages } from '@app/domain/text/interface-language';
import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const language = z.enum(interfaceLanguages);

export const profileContract = {
  setLanguage: endpoint({
    method: 'PUT',
    path: '/profile/language',
    access: 'signed-in',
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Chooses the language of the interface and of mails to the caller',
    input: z.object({ language }),
    output: z.object({ language }),
  }),
};
