import { Hono } from 'hono';
import type { StandIn } from '../core/stand-in.ts';
import { openAiControls, openAiRoutes } from './openai-routes.ts';
import { OpenAiService } from './openai-service.ts';

export function openAiStandIn(): StandIn<OpenAiService> {
  const account = new OpenAiService();
  return {
    account,
    routes: new Hono().route('/v1', openAiRoutes(account)),
    controls: openAiControls(account),
  };
}
