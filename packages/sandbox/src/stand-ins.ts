import type { StandIn } from './core/stand-in.ts';
import { calendlyStandIn } from './calendly/calendly-stand-in.ts';
import { googleAnalyticsStandIn } from './google-analytics/google-analytics-stand-in.ts';
import { hubspotStandIn } from './hubspot/hubspot-stand-in.ts';
import { mailchimpStandIn } from './mailchimp/mailchimp-stand-in.ts';
import { shopifyStandIn } from './shopify/shopify-stand-in.ts';
import { salesforceStandIn } from './salesforce/salesforce-stand-in.ts';
import { openAiStandIn } from './openai/openai-stand-in.ts';
import { slackStandIn } from './slack/slack-stand-in.ts';
import { zapierStandIn } from './zapier/zapier-stand-in.ts';

/** Every service that the product exchanges data with, by the name of its address: one line each. */
export const createStandIns = () =>
  ({
    hubspot: hubspotStandIn(),
    salesforce: salesforceStandIn(),
    shopify: shopifyStandIn(),
    mailchimp: mailchimpStandIn(),
    google_analytics: googleAnalyticsStandIn(),
    calendly: calendlyStandIn(),
    openai: openAiStandIn(),
    slack: slackStandIn(),
    zapier: zapierStandIn(),
  }) satisfies Record<string, StandIn>;

type StandIns = ReturnType<typeof createStandIns>;
export type VendorAccounts = { readonly [Name in keyof StandIns]: StandIns[Name]['account'] };
