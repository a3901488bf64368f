import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { longAct } from '../long-acts/long-acts-contract.ts';

const whole = z.number().int();

export const dataManagementContract = {
  summarize: endpoint({
    method: 'GET',
    path: '/data',
    access: 'settings:manage',
    summary: 'What the workspace holds, and its name as it is typed before all of that is cleared',
    input: z.object({}),
    output: z.object({ name: z.string(), contacts: whole, templates: whole, campaigns: whole }),
  }),
  startExport: endpoint({
    method: 'POST',
    path: '/data/exports',
    access: ['settings:manage', 'contacts:read', 'templates:read', 'campaigns:read'],
    needsProof: true,
    repeat: 'keyed',
    work: 'long',
    summary:
      'Writes contacts, templates, campaigns and settings into one JSON file, as a long act: what is small is ready with the answer, and kept for a day',
    input: z.object({}),
    output: longAct,
  }),
  clear: endpoint({
    method: 'POST',
    path: '/data/clear',
    access: 'settings:manage',
    needsProof: true,
    repeat: 'keyed',
    work: 'long',
    summary:
      'Deletes all contacts, conversations, templates, campaigns and files for good, as a long act, and sets the settings to their defaults; people and the audit log stay',
    input: z.object({ name: z.string().max(1000) }),
    output: longAct,
    errors: ['data_name_different'],
  }),
};
