import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import { calendlyConnector } from '@app/providers/calendly/calendly-connector';
import { googleAnalyticsConnector } from '@app/providers/google-analytics/google-analytics-connector';
import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { mailchimpConnector } from '@app/providers/mailchimp/mailchimp-connector';
import { salesforceConnector } from '@app/providers/salesforce/salesforce-connector';
import { shopifyConnector } from '@app/providers/shopify/shopify-connector';
import { slackConnector } from '@app/providers/slack/slack-connector';
import { zapierConnector } from '@app/providers/zapier/zapier-connector';

/** Every service that this product exchanges data with, in the order of the cards. `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function createConnectorKinds(options: { sandboxUrl: string | undefined }): readonly ConnectorKind[] {
  return [
    hubspotConnector(options),
    salesforceConnector(options),
    mailchimpConnector(options),
    shopifyConnector(options),
    googleAnalyticsConnector(options),
    calendlyConnector(options),
    slackConnector(options),
    zapierConnector(options),
  ];
}
