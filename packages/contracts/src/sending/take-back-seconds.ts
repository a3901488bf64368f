import { z } from 'zod';

/** For so long nothing leaves and the start can be taken back. Programs mean what they say and begin at once; the web asks for five. */
export const takeBackSeconds = z.number().int().min(0).max(10).default(0);
