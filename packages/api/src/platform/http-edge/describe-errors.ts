import type { JSONSchema } from '@orpc/openapi';

type DefinedErrors = readonly [code: string, message: string, isDataRequired: boolean, data: JSONSchema][];

/** The form of a refusal as the description of the API says it, for the codes of one status. */
export function describeErrors(defined: DefinedErrors): JSONSchema {
  const [first] = defined;
  return {
    type: 'object',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: { type: 'string', enum: defined.map(([code]) => code) },
          message: {
            type: 'string',
            description: defined.map(([code, text]) => `${code}: ${text}`).join('\n'),
          },
          ...(first && { details: { $ref: '#/components/schemas/RefusalDetails' } }),
        },
        required: ['code', 'message'],
      },
    },
    required: ['error'],
  };
}
