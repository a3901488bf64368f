import type { OpenAPI } from '@orpc/contract';
import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { campaign, recipient } from '@app/contracts/campaigns/campaign-values';
import { contract } from '@app/contracts/contract';
import { contact, consent } from '@app/contracts/contacts/contacts-contract';
import { conversation, message } from '@app/contracts/conversations/conversation-values';
import { customField } from '@app/contracts/custom-fields/custom-fields-contract';
import { errorDetails, type Access, type EndpointMeta } from '@app/contracts/endpoint';
import { errorTable, type ErrorCode } from '@app/contracts/errors';
import { flowFile } from '@app/contracts/automation/flow-file-schema';
import { workflow, workflowRun } from '@app/contracts/automation/workflow-values';
import { segment } from '@app/contracts/segments/segments-contract';
import { template } from '@app/contracts/templates/templates-contract';
import { describeErrors } from '../http-edge/describe-errors.ts';
import type { FileRoute } from '../http-edge/file-routes.ts';
import { describeFiles } from './describe-files.ts';

/** Under which name each part of the contract stands in the description; what is not here has nothing for programs. */
const tags: Record<string, string> = {
  contacts: 'Contacts',
  customFields: 'Custom fields',
  segments: 'Segments',
  contactImports: 'Imports',
  conversations: 'Conversations',
  conversationLabels: 'Conversation labels',
  messageFiles: 'Message files',
  templates: 'Templates',
  media: 'Media',
  campaigns: 'Campaigns',
  bulkMessage: 'Bulk messages',
  rcs: 'RCS messages',
  rcsAnalytics: 'Analytics',
  workflows: 'Workflows',
  chatbot: 'Chatbot',
  agentAi: 'Chatbot',
  botAi: 'Chatbot',
  botKnowledge: 'Chatbot',
  workflowRuns: 'Workflow runs',
  workflowSimulations: 'Workflow simulations',
  workflowHooks: 'Workflow webhooks',
  analytics: 'Analytics',
  conversions: 'Conversions',
  channels: 'Channels',
  users: 'Users',
  integrations: 'Integrations',
  integrationEvents: 'Integrations',
  webhookEndpoints: 'Webhook endpoints',
  webhookDeliveries: 'Webhook deliveries',
  events: 'Live events',
};

const shared = {
  Contact: contact,
  Consent: consent,
  Conversation: conversation,
  Message: message,
  CustomField: customField,
  Segment: segment,
  Template: template,
  Campaign: campaign,
  Recipient: recipient,
  FlowFile: flowFile,
  Workflow: workflow,
  WorkflowRun: workflowRun,
};

/** Any request with a key may meet these. */
const ofEveryKey = {
  400: ['api_key_with_session'],
  401: ['api_key_invalid', 'api_key_expired'],
  403: ['api_key_address'],
  429: ['too_many_requests'],
} as const satisfies Record<number, readonly ErrorCode[]>;

const paceHeaders = {
  'RateLimit-Policy': headerOf(
    'How many requests the key has in a window of so many seconds: `"key";q=600;w=60`.',
  ),
  RateLimit: headerOf('What is left of it, and for how many seconds: `"key";r=599;t=60`.'),
};

type Operation = OpenAPI.OperationObject;
export const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type PathItem = Partial<Record<(typeof methods)[number], Operation>>;
export type ApiDescription = Omit<OpenAPI.Document, 'paths'> & { paths: Record<string, PathItem> };

/** What programs are promised: the endpoints that the contract opens to API keys, and no others. */
export async function describeApi(publicUrl: string, files: readonly FileRoute[]): Promise<ApiDescription> {
  const document = await new OpenAPIGenerator({
    schemaConverters: [new ZodToJsonSchemaConverter()],
  }).generate(contract, {
    info: {
      title: 'Messaging dashboard API',
      version: '1.0.0',
      description:
        'Contacts, conversations, templates and campaigns of a workspace, for programs with an API key.',
    },
    servers: [{ url: `${publicUrl}/api` }],
    security: [{ apiKey: [] }],
    tags: Object.values(tags).map((name) => ({ name })),
    filter: ({ contract: promise }) => metaOf(promise).forKeys !== null,
    commonSchemas: Object.fromEntries(
      Object.entries(shared).map(([name, schema]) => [name, { schema, strategy: 'output' as const }]),
    ),
    customErrorResponseBodySchema: (defined, status) =>
      describeErrors([...defined, ...listCodes(ofEveryKey[status as keyof typeof ofEveryKey] ?? [])]),
  });
  // The generator writes operations and nothing else into a path.
  const paths = (document.paths ?? {}) as Record<string, PathItem>;
  for (const [feature, endpoints] of Object.entries(contract))
    for (const { '~orpc': promise } of Object.values(endpoints)) {
      const { forKeys, access } = promise.meta as EndpointMeta; // set by endpoint() for every contract
      const item = forKeys && paths[String(promise.route.path)];
      const method = methods.find((name) => name.toUpperCase() === promise.route.method);
      if (item && method && item[method])
        item[method] = complete(item[method], {
          tag: tags[feature] ?? feature,
          access,
          example: forKeys.example,
        });
    }
  for (const { path, method, access, operation } of describeFiles(files)) {
    const item = (paths[path] ??= {});
    item[method] = complete(operation, { tag: operation.tags?.[0] ?? '', access, example: null });
  }
  const schemas = { ...document.components?.schemas, RefusalDetails: convertDetails() };
  const securitySchemes = {
    apiKey: {
      type: 'http' as const,
      scheme: 'bearer',
      description: 'An API key, made in My Profile → API Keys: `Authorization: Bearer wmp_…`.',
    },
  };
  return { ...document, paths, components: { ...document.components, schemas, securitySchemes } };
}

type Promised = { tag: string; access: Access; example: Record<string, unknown> | null };

/** Adds what holds for every request with a key, and an input with which it can be tried. */
function complete(operation: Operation, { tag, access, example }: Promised): Operation {
  const responses = { ...operation.responses };
  for (const [status, codes] of Object.entries(ofEveryKey))
    responses[status] ??= {
      description: status,
      content: { 'application/json': { schema: describeErrors(listCodes(codes)) as object } },
    };
  for (const [status, response] of Object.entries(responses))
    if (response && !('$ref' in response)) {
      const wait = status === '429' ? { 'Retry-After': headerOf('Seconds to wait.') } : {};
      responses[status] = {
        ...{ ...response, description: describeStatus(status) ?? response.description },
        headers: { ...response.headers, ...paceHeaders, ...wait },
      };
    }
  const needed = access === 'public' || access === 'signed-in' ? [] : [access].flat();
  return {
    ...addExample(operation, example),
    ...{ tags: [tag], responses },
    description: needed.length > 0 ? `Needs ${needed.join(' and ')}.` : 'Any API key may call this.',
  };
}

/** Into the query or the body, whichever the input has; ids of the path have none. */
function addExample(operation: Operation, example: Record<string, unknown> | null): Operation {
  if (!example) return operation;
  const inPath = new Set<string>();
  const parameters = operation.parameters?.map((parameter) => {
    if ('$ref' in parameter || !parameter.name || !(parameter.name in example)) return parameter;
    if (parameter.in === 'path') inPath.add(parameter.name);
    return parameter.in === 'query' ? { ...parameter, example: example[parameter.name] } : parameter;
  });
  const body = operation.requestBody;
  const json = body && !('$ref' in body) ? body.content['application/json'] : undefined;
  if (!body || '$ref' in body || !json) return { ...operation, ...(parameters && { parameters }) };
  const value = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.has(name)));
  return {
    ...{ ...operation, ...(parameters && { parameters }) },
    requestBody: { ...body, content: { ...body.content, 'application/json': { ...json, example: value } } },
  };
}

/** Null for what says itself what it is. */
function describeStatus(status: string): string | null {
  if (status === '200') return 'Done.';
  return status.startsWith('2') ? null : 'Refused: the code in the answer says why.';
}

function listCodes(codes: readonly ErrorCode[]) {
  const details = { $ref: '#/components/schemas/RefusalDetails' };
  return codes.map(
    (code) => [code, errorTable[code].message, false, details] as [string, string, boolean, object],
  );
}

function convertDetails(): object {
  const [, schema] = new ZodToJsonSchemaConverter().convert(errorDetails.unwrap(), {
    strategy: 'output',
  });
  return schema as object;
}

function headerOf(description: string): OpenAPI.HeaderObject {
  return { description, schema: { type: 'string' } };
}

function metaOf(promise: { '~orpc': { meta: object } }): EndpointMeta {
  return promise['~orpc'].meta as EndpointMeta; // set by endpoint() for every contract
}
